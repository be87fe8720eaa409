"use client";

import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { cx } from "./cx";

type Choice = { label: ReactNode; icon?: ReactNode | undefined };
export type MenuItem = Choice &
  (
    | { href: string }
    | { href?: undefined; onSelect: () => void; tone?: "danger" | undefined; keepOpen?: boolean | undefined }
  );
export type MenuProps = {
  /** The button that opens the menu. Must accept a ref and button props. */
  trigger: ReactNode;
  items: readonly MenuItem[];
  /** Plain text above the items. */
  heading?: ReactNode | undefined;
  align?: "start" | "end" | undefined;
  side?: "top" | "bottom" | undefined;
};
export type ChoiceMenuProps = Omit<MenuProps, "items"> & {
  value: string;
  onChange: (value: string) => void;
  options: readonly (Choice & { value: string })[];
};

/** Initially open: the code is loaded when the trigger is pressed. */
export function MenuPanel({ trigger, items, heading, align = "end", side = "bottom" }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Surface heading={heading} align={align} side={side}>
        {items.map((item, index) =>
          item.href !== undefined ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu never reorder
            <Radix.Item key={index} asChild className={ROW}>
              <Link href={item.href}>
                {item.icon}
                {item.label}
              </Link>
            </Radix.Item>
          ) : (
            <Radix.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu never reorder
              key={index}
              onSelect={(event) => {
                if (item.keepOpen) event.preventDefault();
                item.onSelect();
              }}
              className={cx(ROW, item.tone === "danger" && "text-bad")}
            >
              {item.icon}
              {item.label}
            </Radix.Item>
          ),
        )}
      </Surface>
    </Radix.Root>
  );
}

/** A menu of which one item is selected, such as a theme or a sort order. */
export function ChoiceMenuPanel({
  trigger,
  heading,
  align = "end",
  side = "bottom",
  value,
  onChange,
  options,
}: ChoiceMenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Surface heading={heading} align={align} side={side}>
        <Radix.RadioGroup value={value} onValueChange={onChange}>
          {options.map((option) => (
            <Radix.RadioItem key={option.value} value={option.value} className={ROW}>
              {option.icon}
              {option.label}
              <Radix.ItemIndicator className="ms-auto size-1.75 rounded-full bg-brand" />
            </Radix.RadioItem>
          ))}
        </Radix.RadioGroup>
      </Surface>
    </Radix.Root>
  );
}

type SurfaceProps = Pick<MenuProps, "heading" | "align" | "side"> & { children: ReactNode };

function Surface({ heading, align = "end", side = "bottom", children }: SurfaceProps) {
  return (
    // Rendered in place, not in a portal: it stays inside its landmark and its dialog.
    <Radix.Content
      align={align}
      side={side}
      sideOffset={6}
      collisionPadding={8}
      className="z-50 min-w-48 animate-rise rounded-control border bg-card p-1 text-start font-normal shadow-lift"
    >
      {heading != null && <Radix.Label className="px-2.5 py-2 text-tiny text-ink-2">{heading}</Radix.Label>}
      {children}
    </Radix.Content>
  );
}

const ROW =
  "flex min-h-9 items-center gap-2.5 rounded-tile px-2.5 text-control outline-none select-none data-highlighted:bg-sunk max-sm:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";
