import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { signV1 } from "@/lib/approvals/contract";
import { toAddress } from "@/lib/core/address";
import type { Endpoint } from "@/lib/core/endpoint";
import { type LimitName, REFUSED_PROOF_WORK } from "@/lib/core/limits";
import { toUsdc } from "@/lib/core/money";
import { searchResources } from "@/lib/discovery/contract";
import { UPSTREAM_PATHS_MAX, UPSTREAM_REQUEST_BYTES_MAX } from "@/lib/links/upstream/limits";
import { CHANGES_MAX } from "@/lib/payees/lists/rules";
import { signV2, signV3 } from "@/lib/payments/contract";
import { selfStatus } from "@/lib/payments/status-contract";
import { encodeHeader } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization } from "@/lib/x402/signature";
import { fill } from "./largest";
import { type Actor, type CostWorld, LINK_WITH_TOOLS, LINK_WITH_UPSTREAM, PASS_PATH, PAYMENTS } from "./world";

const WIDE_CAPS = { maxAmountPer24Hours: "1000000000000", maxAmountPer30Days: "1000000000000" };

/**
 * How a row's request differs from the default: the actor in the endpoint's contract, seeded ids in the path, the longest page, and
 * the reference's example grown to the largest body that the schema accepts.
 */
export type Recipe = {
  /** Distinguishes several rows of one path. */
  variant?: string;
  actor?: Actor;
  /** Replaces the default path and query. */
  path?: string | ((world: CostWorld, turn: number) => string);
  headers?: Readonly<Record<string, string>> | ((world: CostWorld) => Record<string, string>);
  /** The example from which the body grows, or a tool's arguments. */
  example?: (world: CostWorld, turn: number) => unknown;
  /** A body that is sent unchanged. */
  raw?: { type: string; bytes: (turn: number) => Buffer };
  /** A limit per address in addition to the contract's. */
  limit?: LimitName;
  /** Work charged to the address in addition to the contract's. */
  moreWork?: number;
  /** The endpoint of a tool that was not created from one. */
  endpoint?: Endpoint;
  endAfterMs?: number;
};

const hex = (bytes: number) => `0x${randomBytes(bytes).toString("hex")}` as const;
const stranger = () => hex(20);

const authorization = (value: string) => ({
  from: stranger(),
  to: stranger(),
  value,
  validAfter: "0",
  validBefore: "4102444800",
  nonce: hex(32),
});
/** A proof signed by a new key without money, as a stranger can present it. */
function proof({ heavy }: CostWorld) {
  const key = generatePrivateKey();
  const from = toAddress(privateKeyToAddress(key));
  const signed = { ...authorization("250000"), from, to: toAddress(heavy.wallet) };
  const signature = signAuthorization(
    "base",
    { ...signed, value: toUsdc(250_000n), validAfter: 0n, validBefore: BigInt(signed.validBefore), nonce: hex(32) },
    key,
  );
  return { x402Version: 1, scheme: "exact", network: "base", payload: { signature, authorization: signed } };
}
const PAYING = (world: CostWorld) => ({ "x-payment": encodeHeader(proof(world)) });
const requirement = () => ({
  scheme: "exact",
  network: "base",
  maxAmountRequired: "1000",
  resource: "https://api.example/report",
  description: "A report",
  mimeType: "application/json",
  payTo: stranger(),
  maxTimeoutSeconds: 60,
  asset: NETWORKS.base.usdc,
  extra: { name: "USD Coin", version: "2" },
});
const facilitated = (world: CostWorld) => {
  const paymentPayload = proof(world);
  const wanted = { ...requirement(), maxAmountRequired: "250000", payTo: world.heavy.wallet };
  return { x402Version: 1, paymentPayload, paymentRequirements: wanted };
};
const seeded = (prefix: string, index: number) => `${prefix}_seed${String(index).padStart(20, "0")}`;
/** A received payment of the heavy agent, a different one each turn; every fifth payment is its own. */
const paymentOf = (turn: number) => 1 + ((turn * 5) % PAYMENTS);
/** An id of the heavy owner, a different one each turn. */
const seededSale = (prefix: string) => (turn: number) => seeded(prefix, (turn * 5) % 2_000);
const linkOf = seededSale("lnk");

/** The last path of the upstream's list. */
const LAST_PATH = `/${UPSTREAM_PATHS_MAX - 1}/name`;

/** A paid request with the largest body, whose proof is refused. */
function paidCalls(bytes?: () => Buffer): Recipe[] {
  const path = `/paid/${LINK_WITH_UPSTREAM}${LAST_PATH}`;
  return [
    { path },
    {
      variant: "with a proof",
      path,
      headers: PAYING,
      limit: "payment_per_address",
      moreWork: REFUSED_PROOF_WORK,
      ...(bytes && { raw: { type: "application/octet-stream", bytes } }),
    },
  ];
}

const JSON_TYPE = "application/json";
const HTML = { accept: "text/html" };

/** Recipes by name of the callable; an array if one path has several costs. */
export const RECIPES: Readonly<Record<string, Recipe | readonly Recipe[]>> = {
  "POST /refresh": { example: ({ ids }) => ({ agent_id: ids.agentId, token: "tok_000000000000000000000000" }) },
  "POST /token/rotate": { example: ({ ids }) => ({ agent_id: ids.agentId, token: "tok_000000000000000000000000" }) },
  "POST /verify-vc": { example: () => ({ vc: `${fill(100, 1).replaceAll(" ", "A")}.e30.c2ln` }) },
  "GET /.well-known/erc7730/{file}": { path: "/.well-known/erc7730/vault-terms.json" },

  "POST /api/mandates/create-intent": [{}, { variant: "without an owner", actor: "young", limit: "draft_per_address" }],
  "GET /api/mandates/{mandateId}/typed-data": { actor: "owner" },
  "GET /api/payments/host-history": { path: "/api/payments/host-history?resource=https%3A%2F%2Fapi.example%2Fx" },
  "GET /api/mandates/eligible": { path: "/api/mandates/eligible?host=api.example&amount=1" },

  "POST /api/payment/x402V3Payment": {
    example: ({ heavy }) => ({
      mandateId: heavy.mandateId,
      amount: "1",
      payTo: stranger(),
      resource: "https://api.example/report",
    }),
  },
  "POST /api/payment/x402V1Payment": {
    limit: "approval_per_agent",
    example: () => ({ amount: "10000", payTo: stranger(), resource: "https://api.example/report" }),
  },

  // Wide enough for what the other rows spend: a payment above it would wait for the owner.
  "POST /api/wallet/spending-caps": {
    raw: {
      type: "application/json",
      bytes: () => Buffer.from(JSON.stringify({ network: "base", ...WIDE_CAPS, waitingMax: 3 })),
    },
  },

  // The most entries of one call. Without a signature, as a session alone sends it.
  "POST /api/wallet/payee-lists": {
    example: () => ({ list: "allow", add: Array.from({ length: CHANGES_MAX }, (_, index) => `host-${index}.example`) }),
  },

  "POST /api/v2/payment/x402-payment": {
    example: ({ heavy }) => ({ ...(signV2.example?.request ?? {}), mandateId: heavy.mandateId }),
  },

  "GET /paymentlink/{linkId}": [
    { path: (_, turn) => `/paymentlink/${linkOf(turn)}` },
    {
      variant: "with a proof",
      path: (_, turn) => `/paymentlink/${linkOf(turn)}`,
      headers: PAYING,
      limit: "payment_per_address",
      moreWork: REFUSED_PROOF_WORK,
    },
  ],
  "GET /paid/{linkId}/{path}": paidCalls(),
  "GET /pass/{linkId}": [
    { path: PASS_PATH },
    {
      variant: "with a proof",
      path: PASS_PATH,
      headers: PAYING,
      limit: "payment_per_address",
      moreWork: REFUSED_PROOF_WORK,
    },
  ],
  "POST /paid/{linkId}/{path}": paidCalls(() => randomBytes(UPSTREAM_REQUEST_BYTES_MAX)),
  "PUT /paid/{linkId}/{path}": paidCalls(() => randomBytes(UPSTREAM_REQUEST_BYTES_MAX)),
  "PATCH /paid/{linkId}/{path}": paidCalls(() => randomBytes(UPSTREAM_REQUEST_BYTES_MAX)),
  "DELETE /paid/{linkId}/{path}": paidCalls(),
  "POST /api/agents/{agentId}/payment-links/{linkId}/test-call": {
    path: ({ ids }) => `/api/agents/${ids.agentId}/payment-links/${LINK_WITH_UPSTREAM}/test-call`,
    example: () => ({ method: "POST", path: LAST_PATH, body: "" }),
    limit: "test_call_per_owner",
  },
  "POST /api/upstream-document": { example: () => ({ url: "http://localhost:9" }), limit: "document_per_owner" },
  "GET /unifypaymentlink/agentid/{agentId}": [
    { path: ({ ids }) => `/unifypaymentlink/agentid/${ids.agentId}?amount=250000&asset=usdc` },
    {
      variant: "with a proof",
      path: ({ ids }) => `/unifypaymentlink/agentid/${ids.agentId}?amount=250000&asset=usdc`,
      headers: PAYING,
      limit: "payment_per_address",
      moreWork: REFUSED_PROOF_WORK,
    },
  ],
  "GET /api/payment-links/{linkId}/picture": { path: (_, turn) => `/api/payment-links/${linkOf(turn)}/picture` },
  "POST /api/payment-links/{linkId}/visits": {
    example: () => ({ visitId: randomBytes(15).toString("hex"), step: "signed", payer: stranger(), nonce: hex(32) }),
  },
  "POST /api/agents/{agentId}/link-files": {
    raw: { type: "application/octet-stream", bytes: () => randomBytes(FILE_BYTES) },
  },
  "POST /api/agents/{agentId}/link-images": { raw: { type: "image/png", bytes: () => noise(IMAGE_SIDE) } },
  "GET /api/payment-links/files/{fileId}": { path: `/api/payment-links/files/fil_${"0".repeat(24)}` },
  "GET /api/payment-links/images/{imageId}": { path: `/api/payment-links/images/img_${"0".repeat(24)}` },
  "GET /api/seller-logos/{logoId}": { path: `/api/seller-logos/${"0".repeat(64)}` },
  "POST /api/payment-links": { example: () => ({ amount: "10000" }), limit: "link_per_agent" },
  "POST /api/agents/{agentId}/payment-links": { example: () => ({ amount: "10000" }), limit: "link_per_agent" },
  "POST /api/invoices": { limit: "link_per_agent" },
  "POST /api/agents/{agentId}/invoices": { limit: "link_per_agent" },

  "POST /api/payouts": {
    limit: "payout_per_agent",
    example: (_, turn) => ({ payoutId: `agent-${turn}`, toAddress: stranger(), amount: "10000" }),
  },
  "POST /api/wallet/payouts": {
    limit: "payout_per_owner",
    example: (_, turn) => ({ payoutId: `owner-${turn}`, toAddress: stranger(), amount: "10000", approve: false }),
  },
  "POST /api/wallet/payouts/batch": {
    limit: "payout_per_owner",
    example: (_, turn) => ({
      rows: [{ payoutId: `batch-${turn}-0000`, toAddress: stranger(), amount: "10000" }],
      approve: false,
    }),
  },
  "POST /api/wallet/addresses/weigh": { example: () => ({ addresses: [stranger()] }) },
  "GET /api/payouts/{payoutId}": { actor: "stranger" },

  "POST /api/transaction-firewall/{firewallId}/api/prompt-scan": [
    { example: () => ({ text: "Summarise the report" }) },
    {
      variant: "with a proof",
      example: () => ({ text: "Summarise it" }),
      headers: PAYING,
      limit: "payment_per_address",
      moreWork: REFUSED_PROOF_WORK,
    },
  ],
  "POST /api/transaction-firewall/{firewallId}/api/x402-scan": {
    example: () => ({ paymentRequired: { x402Version: 1, accepts: [requirement()] } }),
  },
  "POST /api/credits/top-up": { example: ({ ids }) => ({ amount: "250000", agentId: ids.agentId }) },
  "POST /facilitator/verify": [
    { actor: "seller", example: facilitated },
    { variant: "without a key", actor: "stranger", example: facilitated },
  ],
  "POST /facilitator/settle": { actor: "seller", example: facilitated },

  "POST /api/wallet/deposits": {
    example: () => ({ network: "base", authorization: authorization("10000"), signature: `0x${"11".repeat(65)}` }),
  },
  "GET /api/wallet/deposits/typed-data": { path: "/api/wallet/deposits/typed-data?network=base&amount=10000" },
  // A token to ask for, too.
  "GET /api/wallet/recoveries": { path: () => `/api/wallet/recoveries?network=base&token=${stranger()}` },
  "GET /api/search": { path: "/api/search?query=Report", limit: "search_per_owner" },
  "GET /api/events": { endAfterMs: 100, limit: "stream_per_owner" },
  "POST /api/devnet/faucet": { example: () => ({ address: stranger(), amount: "1" }) },
  "PATCH /api/notices": { example: (_, turn) => ({ email: `a${turn}@mail.example` }), limit: "email_per_owner" },
  "POST /api/webhooks": { example: (_, turn) => ({ url: `https://hooks.example/${turn}` }) },
  "POST /api/seller/domains": { example: (_, turn) => ({ domain: `shop-${turn}.example.com` }) },
  "POST /api/seller/domains/{domainId}/verify": { limit: "domain_check_per_owner" },
  "POST /api/seller/logo": { limit: "logo_per_owner" },
  "POST /api/agents": { limit: "agent_per_owner" },
  "POST /agent/vc/issue": { limit: "issue_per_agent" },
  "POST /api/agents/{agentId}/credentials": { limit: "issue_per_agent" },
  "DELETE /api/sessions": { actor: "stranger", variant: "without a session: it would end this one" },

  "GET /api/payment-links/{linkId}/openapi.json": { path: `/api/payment-links/${LINK_WITH_UPSTREAM}/openapi.json` },
  "GET /discovery/resources": { path: "/discovery/resources?limit=100" },
  "GET /discovery/search": { path: "/discovery/search?query=Report&limit=100" },

  "POST /mcp": {
    headers: { accept: "application/json, text/event-stream" },
    raw: { type: JSON_TYPE, bytes: () => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })) },
  },
  "GET /api/{path}": { path: "/api/nothing/here" },
  "GET /dashboard/{path}": { path: "/dashboard/nothing/here" },
  "DELETE /api/connections/{connectionId}": { path: `/api/connections/con_${"0".repeat(24)}` },
  "POST /mcp/{linkId}": {
    path: `/mcp/${LINK_WITH_TOOLS}`,
    raw: { type: JSON_TYPE, bytes: () => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })) },
  },
  "POST /mcp/oauth": {
    actor: "agent",
    raw: { type: JSON_TYPE, bytes: () => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })) },
  },
  "POST /oauth/token": {
    raw: {
      type: "application/x-www-form-urlencoded",
      bytes: () => Buffer.from("grant_type=refresh_token&client_id=app_0&refresh_token=ort_0"),
    },
  },
  "POST /oauth/revoke": {
    raw: { type: "application/x-www-form-urlencoded", bytes: () => Buffer.from("token=ort_0") },
  },
  "POST /api/{path}": { path: "/api/nothing/here", raw: { type: JSON_TYPE, bytes: () => Buffer.alloc(60_000, 32) } },
  "PATCH /api/{path}": { path: "/api/nothing/here", raw: { type: JSON_TYPE, bytes: () => Buffer.alloc(60_000, 32) } },
  "DELETE /api/{path}": { path: "/api/nothing/here" },
  "GET /api/auth/{nextauth}": [
    { variant: "csrf", path: "/api/auth/csrf" },
    { variant: "session", path: "/api/auth/session", actor: "owner" },
  ],
  "POST /api/auth/{nextauth}": [
    {
      variant: "_log",
      path: "/api/auth/_log",
      raw: {
        type: JSON_TYPE,
        bytes: (turn) => Buffer.from(JSON.stringify({ level: "error", code: fill(14_000, turn) })),
      },
    },
    {
      variant: "a sign-in that is not signed",
      path: "/api/auth/callback/siwe",
      limit: "sign_in_per_address",
      raw: {
        type: "application/x-www-form-urlencoded",
        bytes: (turn) => Buffer.from(new URLSearchParams({ message: fill(4_000, turn), signature: "0x11" }).toString()),
      },
    },
  ],
  "POST /api/devnet/echo": { raw: { type: JSON_TYPE, bytes: () => Buffer.from("{}") } },
  "GET /embed/{file}": { path: "/embed/button-1.js" },
  "GET /docs/verifiers/{file}": { path: "/docs/verifiers/verify-vc.ts" },
  "GET /docs/markdown/{path}": { path: "/docs/firewall-rules.md" },
  "GET /.well-known/agent-skills/{path}": { path: "/.well-known/agent-skills/index.json" },
  "GET /.well-known/skills/{path}": { path: "/.well-known/skills/tessera-pay/SKILL.md" },
  "GET /docs/{path}": [
    { variant: "the longest", path: "/docs/firewall-rules", headers: HTML },
    { variant: "this one", path: "/docs/operations", headers: HTML },
    { variant: "unknown", path: "/docs/nothing", headers: HTML },
  ],
  "GET /docs/search": { path: `/docs/search?q=${encodeURIComponent(fill(100, 1))}`, headers: HTML },
  "GET /pay/{linkId}": { path: (_, turn) => `/pay/${linkOf(turn)}`, headers: HTML },
  "GET /receipt/{settlementId}": { headers: HTML },
  "GET /firewall": { path: `/firewall?text=${encodeURIComponent(fill(6_000, 1))}`, headers: HTML },
  "GET /dashboard/payments/{paymentId}": { path: `/dashboard/payments/${seeded("pay", 1)}` },
  "GET /dashboard/payouts/{payoutRecordId}": {},

  get_mandate_status: { example: ({ heavy }) => ({ mandateId: heavy.mandateId }) },
  create_intent_mandate: {
    example: () => ({ intent: { naturalLanguage: "Data", limitAmount: "1000000", validForSeconds: 3_600 } }),
    limit: "intent_per_agent",
  },
  pay_url: [
    {
      actor: "young",
      variant: "without an owner",
      example: ({ stack }, turn) => ({
        url: `${stack.baseUrl}/paymentlink/${linkOf(turn)}`,
        maxAmount: "1",
        idempotencyKey: `k${turn}`,
      }),
      limit: "outbound_per_agent",
    },
    {
      example: ({ stack }, turn) => ({
        url: `${stack.baseUrl}/healthz`,
        maxAmount: "1",
        idempotencyKey: `w${turn}`,
        method: "POST",
      }),
      limit: "outbound_per_agent",
    },
  ],
  check_price: {
    actor: "young",
    example: ({ stack }, turn) => ({ url: `${stack.baseUrl}/paymentlink/${linkOf(turn)}` }),
    limit: "outbound_per_agent",
  },
  request_x402_payment: {
    endpoint: signV1,
    example: () => ({ payment_required: { x402Version: 1, accepts: [requirement()] } }),
    limit: "approval_per_agent",
  },
  get_agent_status: { endpoint: selfStatus },
  request_x402_v3_payment: {
    endpoint: signV3,
    example: ({ heavy }) => ({
      mandate_id: heavy.mandateId,
      payment_required: { x402Version: 1, accepts: [requirement()] },
    }),
  },
  get_payment: { example: ({ ids }) => ({ paymentRecordId: ids.paymentRecordId }) },
  request_payout: {
    example: (_, turn) => ({ toAddress: stranger(), amount: "10000", payoutId: `tool-${turn}` }),
    limit: "payout_per_agent",
  },
  get_payout_status: { example: ({ ids }) => ({ payoutId: ids.payoutId }) },
  cancel_payout: { example: ({ ids }) => ({ payoutId: ids.payoutId }) },
  create_payment_link: { example: () => ({ amount: "10000" }), limit: "link_per_agent" },
  get_payment_link: { example: ({ ids }) => ({ linkId: ids.linkId }) },
  update_payment_link: { example: ({ ids }) => ({ linkId: ids.linkId, description: "A report" }) },
  delete_payment_link: { example: () => ({ linkId: "lnk_000000000000000000000000" }) },
  get_payment_link_payments: { example: ({ ids }) => ({ linkId: ids.linkId }) },
  get_received_payment: { example: () => ({ paymentId: 1 }) },
  create_invoice: {
    example: () => ({
      buyer: { name: "Example Ltd" },
      dueDate: "2090-01-31",
      lines: [{ description: "Consulting", unitAmount: "10000" }],
    }),
    limit: "link_per_agent",
  },
  get_invoice: { example: ({ ids }) => ({ invoiceId: ids.invoiceId }) },
  cancel_invoice: { example: () => ({ invoiceId: "inv_000000000000000000000000" }) },
  initiate_refund: { example: (_, turn) => ({ paymentId: paymentOf(turn) }) },
  get_refund: { example: ({ ids }) => ({ refundId: ids.refundId }) },
  cancel_refund: { example: ({ ids }) => ({ refundId: ids.refundId }) },
  scan_prompt: { actor: "stranger", example: () => ({ text: "Summarise the report" }) },
  scan_transaction: { actor: "stranger", example: () => ({ to: stranger() }) },
  scan_payment: {
    actor: "stranger",
    example: () => ({ paymentRequired: { x402Version: 1, accepts: [requirement()] } }),
  },
  search_services: { endpoint: searchResources, actor: "young", example: () => ({ query: "Report" }) },
  init_agent_id: {
    actor: "stranger",
    example: () => ({ agent_name: "Agent", client_info: "" }),
    limit: "register_per_address",
  },
  get_receipt: { example: ({ ids }) => ({ settlementId: ids.settlementId }) },
};

/** Requests without a contract that anybody can send. */
export const EXTRAS: Readonly<Record<string, Recipe>> = {
  "GET an unknown page": { path: "/nothing", headers: HTML },
  "GET /_next/image": { path: "/_next/image?url=%2Ficon.svg&w=640&q=75" },
  "GET /_next/static": { path: "/_next/static/nothing.js" },
  "GET /vault-exit.html": { path: "/vault-exit.html", headers: HTML },
  "POST a page, 9 MB": {
    path: "/sign-in",
    raw: { type: "text/plain", bytes: () => Buffer.alloc(9_000_000, 97) },
  },
  "POST /mcp, not a message": {
    path: "/mcp",
    raw: { type: JSON_TYPE, bytes: () => Buffer.from(JSON.stringify(fill(200_000, 1))) },
  },
};

/** A file may have 10 MiB, an owner 200 MiB in total; this leaves room for the repetitions. */
const FILE_BYTES = 4_000_000;
/** Noise does not compress, so this is almost the maximum size of an image. */
const IMAGE_SIDE = 1_000;

/** A square PNG of grey noise. */
function noise(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.writeUInt8(8, 8);
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.alloc(1), randomBytes(side)]));
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
