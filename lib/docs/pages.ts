/** A hand-written page. `file` is relative to docs/, `slug` is the path below /docs. */
export type PageFile = { readonly slug: string; readonly file: string; readonly label: string };

export type Group = { readonly title: string; readonly pages: readonly PageFile[] };

const pageFile = (file: string, slug: string, label: string): PageFile => ({ slug, file, label });
const guide = (slug: string, label: string) => pageFile(`guides/${slug}.md`, slug, label);
const page = (slug: string, label: string) => pageFile(`${slug}.md`, slug, label);
const group = (title: string, ...pages: PageFile[]): Group => ({ title, pages });

/** The hand-written pages in order. A test fails if a file is missing. */
export const GROUPS: readonly Group[] = [
  group(
    "Start",
    guide("quickstart", "Quickstart"),
    guide("how-it-works", "How it works"),
    guide("trust", "Who can lose what"),
    pageFile("trust.md", "vault-or-wallet", "Vault or spending wallet"),
  ),
  group(
    "Pay",
    guide("pay", "Pay a seller"),
    guide("retry-rules", "Retry rules"),
    guide("payouts", "Payouts"),
    guide("firewall", "Firewall"),
  ),
  group(
    "Sell",
    guide("sell", "Receive payments"),
    guide("payment-links", "Payment links"),
    guide("invoices", "Invoices"),
    guide("refunds", "Refunds"),
    page("webhooks", "Webhooks"),
  ),
  group(
    "Prove",
    guide("credentials", "Credentials"),
    page("verify-a-credential", "Verify a credential"),
    page("verify-a-receipt", "Verify a receipt"),
    page("clear-signing", "Readable signing"),
  ),
  group(
    "Tools",
    guide("client", "TypeScript client"),
    page("mcp", "MCP"),
    page("facilitator", "Facilitator for sellers"),
  ),
  group("Reference", page("api", "API rules"), pageFile("firewall.md", "firewall-rules", "Firewall rules")),
  group(
    "Operate",
    page("operations", "Operations"),
    page("architecture", "Architecture"),
    page("contracts", "Contracts"),
    page("decisions", "Decisions"),
  ),
];

/** Files of docs/ that the site serves as plain text, because pages link to the complete code. */
export const PUBLISHED_FILES: readonly string[] = [
  "verifiers/verify-webhook.ts",
  "verifiers/verify_webhook.py",
  "verifiers/verify-receipt.ts",
  "verifiers/verify-vc.ts",
  "verifiers/verify_vc.py",
  "verifiers/verify-vc.sh",
];

export const FILES: readonly PageFile[] = GROUPS.flatMap(({ pages }) => pages);
