"use client";

import { ArrowLeftRight, Bot, CircleCheckBig, CodeXml, LayoutGrid, Shield, Store } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";
import { Drawer } from "./drawer";
import { usePath, useQuery } from "./location";
import { currentPage, SECTIONS } from "./sections";

const ICONS = {
  overview: LayoutGrid,
  approvals: CircleCheckBig,
  money: ArrowLeftRight,
  agents: Bot,
  selling: Store,
  firewall: Shield,
  developers: CodeXml,
} as const;

export type NavLinksProps = {
  /** The number of decisions that wait for the owner. */
  waiting: number;
  onFollow?: (() => void) | undefined;
};

export function NavLinks({ waiting, onFollow }: NavLinksProps) {
  const current = currentPage(usePath(), useQuery());
  return (
    <ul className="grid gap-0.5">
      {SECTIONS.map(({ id, label, pages }) => {
        const Icon = ICONS[id];
        const isCurrent = current !== undefined && pages.includes(current);
        const isPage = current === pages[0];
        return (
          <li key={id}>
            <Link
              href={pages[0].href}
              {...(isCurrent && { "aria-current": isPage ? ("page" as const) : ("true" as const) })}
              {...(onFollow && { onClick: onFollow })}
              className={cx(
                "flex min-h-9 items-center gap-2.5 rounded-tile px-3 text-control font-medium no-underline transition-colors max-md:min-h-11",
                isCurrent ? "bg-sunk text-ink" : "text-ink-2 hover:bg-sunk hover:text-ink",
              )}
            >
              <Icon aria-hidden className={cx("size-4 shrink-0", isCurrent && "text-brand")} />
              {label}
              {id === "approvals" && <Count count={waiting} />}
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

/** The pages of the current section. Nothing in a section of one page. */
export function SectionTabs() {
  const current = currentPage(usePath(), useQuery());
  const section = SECTIONS.find(({ pages }) => current !== undefined && pages.includes(current));
  if (section === undefined || section.pages.length === 1) return null;
  return (
    <nav aria-label={section.label} data-print="no" className="-mx-1 -mt-2 overflow-x-auto px-1 sm:-mt-3">
      <ul className="flex min-w-max gap-1 border-b">
        {section.pages.map((page) => (
          <li key={page.href}>
            <Link
              href={page.href}
              {...(page === current && { "aria-current": "page" as const })}
              className={cx(
                "-mb-px flex min-h-10 items-center rounded-t-tile border-b-2 px-2.5 text-control font-medium no-underline transition-colors max-md:min-h-11",
                page === current ? "border-brand text-ink" : "border-transparent text-ink-2 hover:text-ink",
              )}
            >
              {page.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type NavDrawerProps = { waiting: number; foot: ReactNode };

/** The dashboard's navigation on a phone. */
export const NavDrawer = ({ waiting, foot }: NavDrawerProps) => (
  <Drawer label="Dashboard" foot={foot}>
    {(close) => <NavLinks waiting={waiting} onFollow={close} />}
  </Drawer>
);
