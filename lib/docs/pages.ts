/** A page of the documentation that is written by hand: `file` is relative to docs/, `slug` its path below /docs. */
export type PageFile = { readonly slug: string; readonly file: string; readonly label: string };

export type Group = { readonly title: string; readonly pages: readonly PageFile[] };

/** The hand-written pages in their order. A missing file is a test failure. */
export const GROUPS: readonly Group[] = [
  {
    title: "Start",
    pages: [
      { slug: "quickstart", file: "guides/quickstart.md", label: "Quickstart" },
      { slug: "how-it-works", file: "guides/how-it-works.md", label: "How it works" },
      { slug: "trust", file: "guides/trust.md", label: "Who can lose what" },
    ],
  },
  {
    title: "Pay",
    pages: [
      { slug: "pay", file: "guides/pay.md", label: "Pay a seller" },
      { slug: "retry-rules", file: "guides/retry-rules.md", label: "Retry rules" },
      { slug: "payouts", file: "guides/payouts.md", label: "Payouts" },
      { slug: "firewall", file: "guides/firewall.md", label: "Firewall" },
    ],
  },
  {
    title: "Sell",
    pages: [
      { slug: "sell", file: "guides/sell.md", label: "Receive payments" },
      { slug: "payment-links", file: "guides/payment-links.md", label: "Payment links" },
      { slug: "refunds", file: "guides/refunds.md", label: "Refunds" },
      { slug: "webhooks", file: "webhooks.md", label: "Webhooks" },
    ],
  },
  {
    title: "Prove",
    pages: [
      { slug: "credentials", file: "guides/credentials.md", label: "Credentials" },
      { slug: "verify-a-credential", file: "verify-a-credential.md", label: "Verify a credential" },
      { slug: "verify-a-receipt", file: "verify-a-receipt.md", label: "Verify a receipt" },
    ],
  },
  {
    title: "Tools",
    pages: [
      { slug: "client", file: "guides/client.md", label: "TypeScript client" },
      { slug: "mcp", file: "mcp.md", label: "MCP" },
      { slug: "facilitator", file: "facilitator.md", label: "Facilitator for sellers" },
    ],
  },
  {
    title: "Reference",
    pages: [
      { slug: "api", file: "api.md", label: "API rules" },
      { slug: "firewall-rules", file: "firewall.md", label: "Firewall rules" },
    ],
  },
  {
    title: "Operate",
    pages: [
      { slug: "operations", file: "operations.md", label: "Operations" },
      { slug: "architecture", file: "architecture.md", label: "Architecture" },
      { slug: "decisions", file: "decisions.md", label: "Decisions" },
    ],
  },
];

/** Files of docs/ that the site serves as text, for code that pages show in full. */
export const PUBLISHED_FILES: readonly string[] = [
  "verifiers/verify-webhook.ts",
  "verifiers/verify_webhook.py",
  "verifiers/verify-receipt.ts",
  "verifiers/verify-vc.ts",
  "verifiers/verify_vc.py",
  "verifiers/verify-vc.sh",
];

export const FILES: readonly PageFile[] = GROUPS.flatMap(({ pages }) => pages);
