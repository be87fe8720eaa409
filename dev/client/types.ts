import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { z } from "zod";
import * as approvals from "@/lib/approvals/contract";
import { type Endpoint, responsesOf } from "@/lib/core/endpoint";
import * as credits from "@/lib/credits/contract";
import * as discovery from "@/lib/discovery/contract";
import * as firewall from "@/lib/firewall/contract";
import * as identity from "@/lib/identity/contract";
import * as invoices from "@/lib/invoices/contract";
import { invoiceItem, invoiceView } from "@/lib/invoices/views";
import * as links from "@/lib/links/contract";
import * as received from "@/lib/links/received/contract";
import * as mandates from "@/lib/mandates/contract";
import { mandateView } from "@/lib/mandates/responses";
import * as payments from "@/lib/payments/contract";
import { paymentView } from "@/lib/payments/responses";
import { selfStatus } from "@/lib/payments/status-contract";
import * as payouts from "@/lib/payouts/contract";
import { payoutView } from "@/lib/payouts/responses";
import { approvalSummary } from "@/lib/platform/summary";
import * as hosts from "@/lib/purchases/hosts/contract";
import * as refunds from "@/lib/refunds/contract";
import * as settlements from "@/lib/settlements/contract";
import * as wallets from "@/lib/wallets/contract";
import { installPackages } from "../local/extra-packages";
import { type Schema, typeOf } from "./typescript";

/**
 * `npx tsx dev/client/types.ts` writes the client's types from the contracts as plain declarations, so that the package does not
 * need zod.
 */
export const CLIENT_TYPES = "packages/client/src/types.ts";

/** Schemas that get a named type. */
const VIEWS = {
  Mandate: mandateView,
  Payment: paymentView,
  PaymentLink: links.linkView,
  ReceivedPayment: received.receivedView,
  Refund: refunds.refundView,
  Payout: payoutView,
  Invoice: invoiceView,
  InvoiceItem: invoiceItem,
  Settlement: settlements.settlementView,
  ApprovalSummary: approvalSummary,
};

/** The client's endpoints by the prefix of their types. */
const ENDPOINTS: Record<string, Endpoint> = {
  Register: identity.registerAgent,
  RotateToken: identity.rotateToken,
  AgentCard: identity.getAgentCard,
  IssueCredential: identity.issueCredential,
  VerifyCredential: identity.verifyCredential,
  Status: selfStatus,
  Unlink: mandates.unlinkSelf,
  CreateMandate: mandates.createIntent,
  ListMandates: mandates.listMandates,
  EligibleMandates: mandates.listEligible,
  GetMandate: mandates.getMandate,
  SignPayment: payments.signV3,
  SignPaymentV2: payments.signV2,
  ApprovePayment: approvals.signV1,
  ListPayments: payments.listPayments,
  GetPayment: payments.getPayment,
  HostHistory: hosts.getHostHistory,
  CreatePayout: payouts.createPayout,
  ListPayouts: payouts.listPayouts,
  GetPayout: payouts.getPayout,
  CancelPayout: payouts.cancelPayout,
  CreateLink: links.createLink,
  ListLinks: links.listLinks,
  GetLink: links.getLink,
  UpdateLink: links.updateLink,
  DeleteLink: links.deleteLink,
  LinkPayments: received.listLinkPayments,
  ListReceived: received.listReceivedPayments,
  GetReceived: received.getReceivedPayment,
  CreateRefund: refunds.initiateRefund,
  ListRefunds: refunds.listRefunds,
  GetRefund: refunds.getRefund,
  CancelRefund: refunds.cancelRefund,
  DiscoverFirewall: firewall.discoverFirewall,
  ListScans: firewall.listScans,
  TopUpCredits: credits.topUp,
  GetBalance: wallets.getBalance,
  MintTestUsdc: wallets.mintTestDollars,
  CreateInvoice: invoices.createInvoice,
  ListInvoices: invoices.listInvoices,
  GetInvoice: invoices.getInvoice,
  CancelInvoice: invoices.cancelInvoice,
  ListResources: discovery.listResources,
  SearchResources: discovery.searchResources,
  WellKnownX402: discovery.wellKnownX402,
  GetSettlement: settlements.getSettlement,
  GetReceipt: settlements.getReceipt,
  GetCancellation: settlements.getCancellation,
  PostCancellation: settlements.postCancellation,
};

const views = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(VIEWS)) views.add(schema, { id });

/** The wire form: the input side of a codec, in requests and responses. */
const wireOf = (schema: z.ZodType): Schema =>
  // The cast covers the keywords that this project's schemas produce.
  z.toJSONSchema(schema, {
    io: "input",
    metadata: views,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // Ids are custom schemas, sent as strings.
      if (zodSchema._zod.def.type === "custom") jsonSchema.type = "string";
    },
  }) as Schema;

/** The body of `byMeans` is parsed by one of two schemas, which JSON Schema cannot express. These are the fields of a USDC payment. */
const PAYMENT_BODY = payments.paymentRequest;
const BODIES: Record<string, z.ZodType> = {
  SignPayment: PAYMENT_BODY.extend({ mandateId: z.string(), method: z.string().optional() }),
  ApprovePayment: PAYMENT_BODY.extend({ approvalId: z.string().optional() }),
};

function* declarations(): Generator<string> {
  for (const [name, schema] of Object.entries(VIEWS)) yield declared(name, inner(wireOf(schema), name));
  for (const [name, e] of Object.entries(ENDPOINTS)) {
    const body = BODIES[name] ?? e.body;
    if (body) yield declared(`${name}Body`, wireOf(body));
    if (e.query) yield declared(`${name}Query`, wireOf(e.query));
    const ok = Object.entries(responsesOf(e)).flatMap(([status, schema]) => (Number(status) < 300 ? [schema] : []));
    const types = new Set(ok.map((schema) => typeOf(wireOf(schema))));
    if (types.size > 0) yield `export type ${name}Response = ${[...types].join(" | ")};`;
  }
}

/** A named schema at the root is a reference to its definition. */
const inner = (schema: Schema, name: string): Schema => schema.$defs?.[name] ?? schema;

const declared = (name: string, schema: Schema) => `export type ${name} = ${typeOf(schema)};`;

export function writeTypes(): string {
  installPackages("dev/tools");
  const message = `// Written by \`npx tsx dev/client/types.ts\` from the contracts.\n\n${[...declarations()].join("\n\n")}\n`;
  const biome = ["dev/tools/node_modules/@biomejs/biome/bin/biome", "format", `--stdin-file-path=${CLIENT_TYPES}`];
  return execFileSync(process.execPath, biome, { input: message, encoding: "utf8" });
}

if (import.meta.filename === process.argv[1]) writeFileSync(CLIENT_TYPES, writeTypes());
