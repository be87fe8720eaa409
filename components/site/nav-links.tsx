"use client";

import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Bot,
  CircleCheckBig,
  Handshake,
  IdCard,
  LayoutGrid,
  Link2,
  ReceiptText,
  ScrollText,
  Send,
  Settings,
  Shield,
  Wallet,
  Webhook,
} from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";
import { Drawer } from "./drawer";
import { usePath } from "./location";

const ICONS = {
  overview: LayoutGrid,
  wallet: Wallet,
  approvals: CircleCheckBig,
  agents: Bot,
  mandates: ScrollText,
  payments: ArrowLeftRight,
  activity: Activity,
  identity: IdCard,
  links: Link2,
  invoices: ReceiptText,
  payouts: Send,
  firewall: Shield,
  facilitator: Handshake,
  webhooks: Webhook,
  docs: BookOpen,
  settings: Settings,
} as const;

export type NavItem = {
  href: string;
  label: string;
  icon: keyof typeof ICONS;
  /** Further path prefixes that belong to the item, without a trailing slash. */
  also?: readonly string[] | undefined;
  /** The number of decisions that wait on the item's page. Zero is not shown. */
  count?: number | undefined;
};
/** `label` is null for items without a heading. */
export type NavGroup = { label: string | null; items: readonly NavItem[] };
export type NavLinksProps = { groups: readonly NavGroup[]; onFollow?: (() => void) | undefined };

export function NavLinks({ groups, onFollow }: NavLinksProps) {
  const id = useId();
  const current = currentItem(
    groups.flatMap(({ items }) => items),
    usePath(),
  );
  return (
    <div className="grid gap-3">
      {groups.map(({ label, items }) => (
        <div key={label ?? ""}>
          {label !== null && (
            <p id={`${id}-${label}`} className="px-3 pb-1 text-tiny font-medium text-ink-2">
              {label}
            </p>
          )}
          <Items items={items} current={current} onFollow={onFollow} labelledBy={label && `${id}-${label}`} />
        </div>
      ))}
    </div>
  );
}

type ItemsProps = Pick<NavLinksProps, "onFollow"> & {
  items: readonly NavItem[];
  current: NavItem | undefined;
  labelledBy: string | null;
};

function Items({ items, current, onFollow, labelledBy }: ItemsProps) {
  return (
    <ul className="grid gap-0.5" {...(labelledBy && { "aria-labelledby": labelledBy })}>
      {items.map((item) => {
        const Icon = ICONS[item.icon];
        const isCurrent = item === current;
        return (
          <li key={item.href}>
            <Link
              href={item.href}
              {...(isCurrent && { "aria-current": "page" as const })}
              {...(onFollow && { onClick: onFollow })}
              className={cx(
                "flex min-h-9 items-center gap-2.5 rounded-tile px-3 text-control font-medium no-underline transition-colors max-md:min-h-11",
                isCurrent ? "bg-sunk text-ink" : "text-ink-2 hover:bg-sunk hover:text-ink",
              )}
            >
              <Icon aria-hidden className={cx("size-4 shrink-0", isCurrent && "text-brand")} />
              {item.label}
              <Count count={item.count ?? 0} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function Count({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="num ml-auto min-w-5 rounded-full bg-brand px-1.5 text-center text-tiny font-medium text-on-brand">
      {count > COUNT_MAX ? `${COUNT_MAX}+` : count}
      <span className="sr-only"> waiting for you</span>
    </span>
  );
}

const COUNT_MAX = 99;

/** The item with the longest matching path: /dashboard/agents/1 is Agents, not Overview. */
function currentItem(items: readonly NavItem[], path: string): NavItem | undefined {
  const lengthOf = ({ href, also = [] }: NavItem) =>
    Math.max(...[href, ...also].map((start) => (path === start || path.startsWith(`${start}/`) ? start.length : -1)));
  return items.reduce<{ item: NavItem | undefined; length: number }>(
    (best, item) => (lengthOf(item) > best.length ? { item, length: lengthOf(item) } : best),
    { item: undefined, length: -1 },
  ).item;
}

type NavDrawerProps = { groups: readonly NavGroup[]; foot: ReactNode };

/** The dashboard's navigation on a phone. */
export const NavDrawer = ({ groups, foot }: NavDrawerProps) => (
  <Drawer label="Dashboard" foot={foot}>
    {(close) => <NavLinks groups={groups} onFollow={close} />}
  </Drawer>
);
