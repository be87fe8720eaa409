export type SectionPage = {
  href: string;
  label: string;
  /** Further path prefixes that belong to the page, without a trailing slash. */
  also?: readonly string[];
};

export type Section = {
  id: "overview" | "approvals" | "money" | "agents" | "selling" | "firewall" | "developers";
  label: string;
  /** The first one opens with the section. */
  pages: readonly [SectionPage, ...SectionPage[]];
};

/** Payments received have the path of payments made. */
export const SALES_PATH = "/dashboard/payments?side=received";

/** The dashboard's navigation. Settings are in the account menu. */
export const SECTIONS: readonly Section[] = [
  { id: "overview", label: "Overview", pages: [{ href: "/dashboard", label: "Overview" }] },
  {
    id: "approvals",
    label: "Approvals",
    pages: [{ href: "/dashboard/approvals", label: "Approvals" }],
  },
  {
    id: "money",
    label: "Money",
    pages: [
      { href: "/dashboard/wallet", label: "Wallet" },
      { href: "/dashboard/payments", label: "Payments" },
      { href: "/dashboard/payouts", label: "Payouts" },
    ],
  },
  {
    id: "agents",
    label: "Agents",
    pages: [
      { href: "/dashboard/agents", label: "Agents" },
      { href: "/dashboard/mandates", label: "Mandates", also: ["/mandates"] },
      { href: "/dashboard/activity", label: "Activity" },
    ],
  },
  {
    id: "selling",
    label: "Selling",
    pages: [
      { href: "/dashboard/links", label: "Links" },
      { href: "/dashboard/invoices", label: "Invoices" },
      { href: SALES_PATH, label: "Sales" },
    ],
  },
  { id: "firewall", label: "Firewall", pages: [{ href: "/firewall", label: "Firewall" }] },
  {
    id: "developers",
    label: "Developers",
    pages: [
      { href: "/dashboard/webhooks", label: "Webhooks" },
      { href: "/dashboard/keys", label: "Keys" },
      { href: "/dashboard/facilitator", label: "Facilitator" },
      { href: "/identity", label: "Identity" },
      { href: "/docs", label: "Docs" },
    ],
  },
];

export const SETTINGS = { href: "/dashboard/settings", label: "Settings" } as const;

export const ALL_PAGES: readonly SectionPage[] = [...SECTIONS.flatMap(({ pages }) => pages), SETTINGS];

/** Every page of the dashboard begins like the overview, so that one has no pages below it. */
const isWithin = (path: string, start: string): boolean =>
  path === start || (start !== SECTIONS[0]?.pages[0].href && path.startsWith(`${start}/`));

/** The page with the longest matching path: /dashboard/agents/1 is Agents, not Overview. */
export function currentPage(path: string, query: URLSearchParams): SectionPage | undefined {
  const isSale = /^\/dashboard\/payments\/\d+$/.test(path) || query.get("side") === "received";
  if (isSale && path.startsWith("/dashboard/payments")) return ALL_PAGES.find(({ href }) => href === SALES_PATH);
  const lengthOf = ({ href, also = [] }: SectionPage) =>
    Math.max(...[href, ...also].map((start) => (isWithin(path, start) ? start.length : -1)));
  return ALL_PAGES.reduce<{ page: SectionPage | undefined; length: number }>(
    (best, page) => (lengthOf(page) > best.length ? { page, length: lengthOf(page) } : best),
    { page: undefined, length: -1 },
  ).page;
}
