"use client";

import {
  Activity,
  ArrowLeftRight,
  BookOpen,
  Bot,
  Handshake,
  IdCard,
  LayoutGrid,
  Link2,
  ScrollText,
  Send,
  Settings,
  Shield,
  Wallet,
  Webhook,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cx } from "@/components/ui/cx";

const ICONS = {
  overview: LayoutGrid,
  wallet: Wallet,
  agents: Bot,
  mandates: ScrollText,
  payments: ArrowLeftRight,
  activity: Activity,
  identity: IdCard,
  links: Link2,
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
  /** Decisions that wait there; none and zero are not shown. */
  count?: number;
};
export type NavLinksProps = { items: readonly NavItem[]; onFollow?: (() => void) | undefined };

export function NavLinks({ items, onFollow }: NavLinksProps) {
  const current = currentItem(items, usePathname());
  return (
    <ul className="grid gap-0.5">
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
const currentItem = (items: readonly NavItem[], path: string) =>
  items
    .filter(({ href }) => path === href || path.startsWith(`${href}/`))
    .reduce<NavItem | undefined>(
      (best, item) => (item.href.length > (best?.href.length ?? -1) ? item : best),
      undefined,
    );
