/** A hand-written page. `file` is relative to docs/, `slug` is the path below /docs. */
export type PageFile = {
  readonly slug: string;
  readonly file: string;
  readonly label: string;
  /** One sentence without a full stop, for lists of pages, search results and browsers. */
  readonly summary: string;
};

export type Group = { readonly title: string; readonly pages: readonly PageFile[] };

const pageFile = (file: string, slug: string, label: string, summary: string): PageFile => ({
  slug,
  file,
  label,
  summary,
});
const guide = (slug: string, label: string, summary: string) => pageFile(`guides/${slug}.md`, slug, label, summary);
const page = (slug: string, label: string, summary: string) => pageFile(`${slug}.md`, slug, label, summary);
const group = (title: string, ...pages: PageFile[]): Group => ({ title, pages });

/** The hand-written pages in order. A test fails if a file is missing. */
export const GROUPS: readonly Group[] = [
  group(
    "Start",
    guide(
      "quickstart",
      "Quickstart",
      "Register an agent, get a budget signed and make a first payment, in five minutes",
    ),
    guide("how-it-works", "How it works", "Owners, agents, mandates and sellers, and what happens in one payment"),
    guide("trust", "Who can lose what", "The most that an owner, a payer and a seller can lose, and to whom"),
    pageFile(
      "trust.md",
      "vault-or-wallet",
      "Vault or spending wallet",
      "Where the money of a mandate can be, and what that changes if something goes wrong",
    ),
  ),
  group(
    "Pay",
    guide("pay", "Pay a seller", "Have a payment signed under a mandate or approved by the owner, and present it"),
    guide(
      "retry-rules",
      "Retry rules",
      "Never pay twice: what is safe to repeat when you do not know how a payment ended",
    ),
    guide("payouts", "Payouts", "Send USDC to an address, or split a sum among up to 100 addresses"),
    guide(
      "firewall",
      "Firewall",
      "Scan what an agent is about to sign, pay or read: free in your program, or over HTTP",
    ),
  ),
  group(
    "Sell",
    guide(
      "sell",
      "Receive payments",
      "Calls to an API of yours, an agent's permanent payment address, what payers see, and proof that you were paid",
    ),
    guide("payment-links", "Payment links", "Sell one thing to people on a checkout and to agents over HTTP 402"),
    guide("invoices", "Invoices", "Ask one named buyer for one sum, with lines, tax and a due date"),
    guide("refunds", "Refunds", "Send a received payment back, in full or in part"),
    page("webhooks", "Webhooks", "Have your program notified of events, verify the signature, and replay deliveries"),
  ),
  group(
    "Prove",
    guide("credentials", "Credentials", "How an agent shows another service who it is"),
    page("verify-a-credential", "Verify a credential", "Check an agent's credential in your own service, offline"),
    page("verify-a-receipt", "Verify a receipt", "Check the signed receipt of a payment without asking the service"),
    page("clear-signing", "Readable signing", "The descriptors with which wallets show messages in words (ERC-7730)"),
  ),
  group(
    "Tools",
    guide("client", "TypeScript client", "Pay and sell from Node, browsers and workers, and use the command line"),
    guide(
      "clients",
      "Tested clients",
      "Published clients, sellers and hosts that work here unchanged, and their versions",
    ),
    page("mcp", "MCP", "Connect an agent host to the wallet's tools"),
    page("facilitator", "Facilitator for sellers", "Check and settle x402 payments for your own API, free of charge"),
  ),
  group(
    "Reference",
    page("api", "API rules", "Rules that hold for every endpoint: amounts, logins, errors, limits and idempotency"),
    pageFile(
      "firewall.md",
      "firewall-rules",
      "Firewall rules",
      "Every rule of the three scans with its severity and weight",
    ),
  ),
  group(
    "Operate",
    page("operations", "Operations", "Configure, start, watch, back up and upgrade the service"),
    page("scaling", "Scaling", "Several processes and machines, a standby, a pooler, metrics, and where growth ends"),
    page("architecture", "Architecture", "The parts of the code, and one request from its route to its SQL"),
    page(
      "contracts",
      "Contracts",
      "The vault contracts: what they guarantee, their gas, and how to leave without the service",
    ),
    page("decisions", "Decisions", "Why the code is as it is, decision by decision"),
  ),
];

/** Files of docs/ that the site serves as plain text, because pages link to the complete code. */
export const PUBLISHED_FILES: readonly string[] = [
  "verifiers/verify-webhook.ts",
  "verifiers/verify_webhook.py",
  "verifiers/verify-receipt.ts",
  "verifiers/verify-x402.ts",
  "verifiers/verify-vc.ts",
  "verifiers/verify_vc.py",
  "verifiers/verify-vc.sh",
  "skills/tessera-pay/SKILL.md",
  "skills/tessera-sell/SKILL.md",
];

export const FILES: readonly PageFile[] = GROUPS.flatMap(({ pages }) => pages);
