"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx";

export type TabsProps = {
  /** Names the group for screen readers: "Ways to pay". */
  label: string;
  tabs: readonly { value: string; label: ReactNode; content: ReactNode }[];
  initial?: string | undefined;
  className?: string | undefined;
};

export function Tabs({ label, tabs, initial, className }: TabsProps) {
  return (
    <Radix.Root defaultValue={initial ?? tabs[0]?.value ?? ""} className={className}>
      <Radix.List aria-label={label} className="flex gap-1 rounded-[11px] bg-sunk p-1">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={cx(
              "min-h-9 flex-1 rounded-tile px-3 text-small font-medium text-ink-2 transition-colors hover:text-ink max-sm:min-h-11",
              "data-[state=active]:bg-card data-[state=active]:text-ink data-[state=active]:ring-1 data-[state=active]:ring-line",
            )}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="mt-4 rounded-control">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
