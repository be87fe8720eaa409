"use client";

import { Drawer } from "@/components/site/drawer";
import { usePath } from "@/components/site/location";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";

export type DocsNavGroup = { title: string; links: readonly { href: string; label: string }[] };
export type DocsNavProps = { groups: readonly DocsNavGroup[]; onFollow?: (() => void) | undefined };

/** The pages of the documentation by group. */
export function DocsNav({ groups, onFollow }: DocsNavProps) {
  const current = currentLink(groups, usePath());
  return (
    <div className="grid gap-5 pb-8">
      {groups.map(({ title, links }) => (
        <div key={title}>
          <p className="mb-1 px-3 text-tiny font-bold text-ink-3">{title}</p>
          <ul className="grid gap-0.5">
            {links.map(({ href, label }) => {
              const isCurrent = href === current;
              return (
                <li key={href}>
                  <Link
                    href={href}
                    prefetch={false}
                    {...(isCurrent && { "aria-current": "page" as const })}
                    {...(onFollow && { onClick: onFollow })}
                    className={cx(
                      "flex min-h-8 items-center rounded-tile px-3 text-control no-underline transition-colors max-lg:min-h-11",
                      isCurrent ? "bg-sunk font-medium text-ink" : "text-ink-2 hover:bg-sunk hover:text-ink",
                    )}
                  >
                    {label}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** The longest link that is a prefix of the path: the page of an error belongs to "Error codes". */
function currentLink(groups: readonly DocsNavGroup[], path: string): string | undefined {
  const matching = groups
    .flatMap(({ links }) => links.map(({ href }) => href))
    .filter((href) => path === href || path.startsWith(`${href}/`));
  return matching.sort((a, b) => b.length - a.length)[0];
}

export const DocsDrawer = ({ groups }: { groups: readonly DocsNavGroup[] }) => (
  <Drawer
    label="Documentation"
    foot={
      <a href="/docs" className="flex min-h-11 items-center px-3 text-control text-ink-2 no-underline hover:text-ink">
        All pages
      </a>
    }
  >
    {(close) => <DocsNav groups={groups} onFollow={close} />}
  </Drawer>
);
