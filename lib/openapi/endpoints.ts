import * as agents from "@/lib/agents/contract";
import * as approvals from "@/lib/approvals/contract";
import * as clearSigning from "@/lib/clear-signing/contract";
import * as confirmations from "@/lib/confirmations/contract";
import type { Endpoint } from "@/lib/core/endpoint";
import * as credits from "@/lib/credits/contract";
import * as discovery from "@/lib/discovery/contract";
import * as facilitator from "@/lib/facilitator/contract";
import * as firewall from "@/lib/firewall/contract";
import * as identity from "@/lib/identity/contract";
import * as invoices from "@/lib/invoices/contract";
import * as checkout from "@/lib/links/checkout/contract";
import * as pictures from "@/lib/links/checkout/picture-contract";
import * as links from "@/lib/links/contract";
import * as linkFiles from "@/lib/links/files/contract";
import * as linkImages from "@/lib/links/images/contract";
import * as ownedLinks from "@/lib/links/owned/contract";
import * as passes from "@/lib/links/passes/contract";
import * as received from "@/lib/links/received/contract";
import * as sales from "@/lib/links/sales/contract";
import * as upl from "@/lib/links/upl/contract";
import * as upstream from "@/lib/links/upstream/contract";
import * as upstreamDocument from "@/lib/links/upstream/document/contract";
import * as visits from "@/lib/links/visits/contract";
import * as live from "@/lib/live/contract";
import * as spendingCaps from "@/lib/mandates/caps/contract";
import * as mandates from "@/lib/mandates/contract";
import * as funds from "@/lib/mandates/funds/contract";
import * as ownersMandates from "@/lib/mandates/owner/contract";
import * as mandateVaults from "@/lib/mandates/vaults/contract";
import * as mcp from "@/lib/mcp/contract";
import * as noticeBrowsers from "@/lib/notices/browsers/contract";
import * as notices from "@/lib/notices/contract";
import * as oauth from "@/lib/oauth/contract";
import * as owners from "@/lib/owners/contract";
import * as payees from "@/lib/payees/contract";
import * as payeeLists from "@/lib/payees/lists/contract";
import * as payments from "@/lib/payments/contract";
import * as madePayments from "@/lib/payments/made/contract";
import * as refusedPayments from "@/lib/payments/refusals/contract";
import * as status from "@/lib/payments/status-contract";
import * as addressBook from "@/lib/payouts/address-book/contract";
import * as payouts from "@/lib/payouts/contract";
import * as ownerPayouts from "@/lib/payouts/owner/contract";
import * as payoutsTogether from "@/lib/payouts/owner/together-contract";
import * as hosts from "@/lib/purchases/hosts/contract";
import * as recoveries from "@/lib/recoveries/contract";
import * as refunds from "@/lib/refunds/contract";
import * as payeeReports from "@/lib/screening/contract";
import * as searches from "@/lib/search/contract";
import * as sellers from "@/lib/sellers/contract";
import * as profiles from "@/lib/sellers/profile/contract";
import * as settlements from "@/lib/settlements/contract";
import * as wallets from "@/lib/wallets/contract";
import * as webhooks from "@/lib/webhooks/contract";
import * as deliveries from "@/lib/webhooks/deliveries/contract";
import * as openapi from "./contract";

type Contract = Readonly<Record<string, unknown>>;

/** All contracts of the API, in the reference's groups and order. Add a new `contract.ts` here. */
const GROUPS: readonly { tag: string; description: string; contracts: readonly Contract[] }[] = [
  { tag: "Identity", description: "Agents, their logins and their credentials", contracts: [identity] },
  {
    tag: "Mandates",
    description: "Budgets that a person signs, so that an agent can pay without asking",
    contracts: [mandates, ownersMandates, mandateVaults, spendingCaps],
  },
  {
    tag: "Payments",
    description: "Signing x402 payments, under a mandate or one by one",
    contracts: [payments, refusedPayments, madePayments, hosts],
  },
  { tag: "Approvals", description: "Single payments that the owner decides", contracts: [approvals] },
  {
    tag: "Payees",
    description: "Addresses of hosts that the owner confirms or refuses, and the owner's lists",
    contracts: [payees, payeeLists, payeeReports],
  },
  {
    tag: "Payment links",
    description: "Links, permanent addresses of agents (UPL), and what they received",
    contracts: [
      links,
      ownedLinks,
      linkFiles,
      linkImages,
      checkout,
      pictures,
      upl,
      upstream,
      passes,
      upstreamDocument,
      received,
      visits,
      sales,
    ],
  },
  {
    tag: "Invoices",
    description: "Documents with lines and a due date, each paid once at a link of its own",
    contracts: [invoices],
  },
  {
    tag: "Sellers",
    description: "What buyers see of an owner: verified domains and a profile",
    contracts: [sellers, profiles],
  },
  { tag: "Settlements", description: "The outcome of a presented payment, and its receipt", contracts: [settlements] },
  { tag: "Refunds", description: "Giving a received payment back to its payer", contracts: [refunds] },
  {
    tag: "Payouts",
    description: "Transfers to one or many addresses",
    contracts: [payouts, ownerPayouts, payoutsTogether, addressBook, confirmations],
  },
  { tag: "Firewall", description: "Scans of transactions, payment requirements and texts", contracts: [firewall] },
  {
    tag: "Facilitator",
    description: "Checking and settling x402 payments for sellers of other services",
    contracts: [facilitator],
  },
  { tag: "Discovery", description: "What this service sells, for crawlers (x402 bazaar)", contracts: [discovery] },
  { tag: "Credits", description: "Service credits of an owner", contracts: [credits] },
  {
    tag: "Webhooks",
    description: "Signed messages about events, and their deliveries",
    contracts: [webhooks, deliveries],
  },
  {
    tag: "Owners",
    description: "Agents, wallets and sessions of a signed-in owner",
    contracts: [agents, wallets, recoveries, funds, owners, searches, live, notices, noticeBrowsers],
  },
  {
    tag: "Signing",
    description: "What wallets need to show what they sign in words (ERC-7730)",
    contracts: [clearSigning],
  },
  { tag: "Status", description: "What an agent needs to know about itself", contracts: [status] },
  {
    tag: "MCP",
    description: "The wallet's tools for models, over the Model Context Protocol",
    contracts: [mcp, oauth],
  },
  { tag: "Documents", description: "The API as one OpenAPI document", contracts: [openapi] },
];

export const TAGS = GROUPS.map(({ tag: name, description }) => ({ name, description }));

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "surface" in value;

/** An endpoint and the name of its export. */
export type Listed = { id: string; tag: string; endpoint: Endpoint };

/** Every endpoint once. If two contracts have the same method and path, as on a devnet, the first one counts. */
export const ENDPOINTS: readonly Listed[] = [
  ...new Map(
    GROUPS.flatMap(({ tag, contracts }) =>
      contracts.flatMap((contract) =>
        Object.entries(contract).flatMap(([id, value]) =>
          isEndpoint(value) ? [{ id, tag: value.tag ?? tag, endpoint: value }] : [],
        ),
      ),
    )
      .reverse()
      .map((listed) => [`${listed.endpoint.method} ${listed.endpoint.path}`, listed] as const),
  ).values(),
].reverse();
