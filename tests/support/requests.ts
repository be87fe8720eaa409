import { createECDH } from "node:crypto";
import { type IdKind, newId } from "@/lib/core/ids";
import { NETWORKS } from "@/lib/x402/networks";
import { freshAddress, intentOf, type Parties, RESOURCE, v3 } from "./mandates";

const authorization = () => ({
  from: freshAddress(),
  to: freshAddress(),
  value: "1",
  validAfter: "0",
  validBefore: "1",
  nonce: `0x${"1".repeat(64)}`,
});

export const INVOICE = {
  buyer: { name: "Example Ltd" },
  dueDate: "2090-01-31",
  lines: [{ description: "Consulting", unitAmount: "10000" }],
};

/** A valid body for each endpoint, which may still be refused. An endpoint that is missing here fails the test. */
export const BODIES: Record<string, () => object | undefined> = {
  "/agent/vc/issue": () => ({ challenge: "c", audience: "https://a.example", ttl_seconds: 60 }),
  "/api/connections": () => ({
    request: {
      response_type: "code",
      client_id: "app_1",
      redirect_uri: "https://app.example/",
      code_challenge: "c".repeat(43),
      code_challenge_method: "S256",
    },
    agentName: "For the app",
  }),
  "/api/agents": () => ({ name: "Shop" }),
  "/api/agents/{agentId}/credentials": () => ({ challenge: "c", audience: "https://a.example", ttl_seconds: 60 }),
  "/api/agents/{agentId}/token": () => ({}),
  "/api/agent/self/unlink": () => undefined,
  "/api/approvals/approve": () => ({ approvalIds: [newId("approval")] }),
  "/api/mandates/create-intent": () => ({ intent: intentOf() }),
  "/api/mandates/{mandateId}/claim": () => ({}),
  "/api/mandates/{mandateId}/signature": () => ({ signature: `0x${"1".repeat(130)}` }),
  "/api/mandates/{mandateId}/reject": () => ({}),
  "/api/mandates/{mandateId}/revoke": () => undefined,
  "/api/mandates/{mandateId}/move-to-vault": () => undefined,
  "/api/mandates/{mandateId}/refusing-sellers/forget": () => ({ host: "shop.example" }),
  "/api/mandates/{mandateId}/enabled": () => ({ isEnabled: false }),
  "/api/payment/x402V3Payment": () => v3(newId("mandate")),
  "/api/payment/x402V1Payment": () => ({ amount: "10000", payTo: freshAddress(), resource: RESOURCE }),
  "/api/v2/payment/x402-payment": () => ({
    mandateId: newId("mandate"),
    paymentRequest: { x402Version: 2, resource: { url: RESOURCE }, accepts: [{}] },
  }),
  "/api/payments/{paymentRecordId}/refusal": () => ({ reason: "insufficient_funds" }),
  "/api/approvals/{approvalId}/claim": () => ({}),
  "/api/approvals/{approvalId}/approve": () => undefined,
  "/api/approvals/{approvalId}/deny": () => ({}),
  "/api/approvals/{approvalId}/mandate": () => ({ limitAmount: "1000000", validForSeconds: 3600 }),
  "/api/payees/{payeeId}/confirm": () => ({}),
  "/api/payees/{payeeId}/refuse": () => ({}),
  "/api/payment-links": () => ({ amount: "10000" }),
  "/api/agents/{agentId}/payment-links": () => ({ amount: "10000" }),
  "/api/upstream-document": () => ({ url: "http://localhost:9" }),
  "/api/agents/{agentId}/payment-links/{linkId}/test-call": () => ({ path: "/" }),
  "/api/invoices": () => INVOICE,
  "/api/invoices/{invoiceId}/cancel": () => undefined,
  "/api/agents/{agentId}/link-files": () => undefined,
  "/api/agents/{agentId}/link-images": () => undefined,
  "/api/agents/{agentId}/invoices": () => INVOICE,
  "/api/agents/{agentId}/invoices/{invoiceId}/cancel": () => undefined,
  "/api/payment-links/refunds/initiate": () => ({ paymentId: 1 }),
  "/api/payment-links/refunds/{refundId}/cancel": () => undefined,
  "/api/refunds": () => ({ paymentId: 1 }),
  "/api/refunds/approve": () => ({ refundIds: [newId("refund")] }),
  "/api/refunds/{refundId}/approve": () => undefined,
  "/api/refunds/{refundId}/reject": () => undefined,
  "/api/facilitator/keys": () => ({ name: "Shop" }),
  // A whole number of cents would require a signature first.
  "/api/credits/purchases": () => ({ amount: "1" }),
  "/api/wallet/deposits": () => ({
    network: "base",
    authorization: authorization(),
    signature: `0x${"1".repeat(130)}`,
  }),
  "/api/wallet/withdrawals": () => ({ network: "base", amount: "1" }),
  "/api/payouts": () => ({ toAddress: freshAddress(), amount: "10000" }),
  "/api/payouts/{payoutId}/cancel": () => undefined,
  "/api/wallet/payouts/approve": () => ({ payoutRecordIds: [newId("payout")] }),
  "/api/wallet/payouts": () => ({ toAddress: freshAddress(), amount: "10000", approve: false }),
  "/api/wallet/payouts/batch": () => ({
    rows: [{ payoutId: freshAddress(), toAddress: freshAddress(), amount: "10000" }],
    approve: false,
  }),
  "/api/wallet/payouts/{payoutRecordId}/claim": () => ({}),
  "/api/wallet/payouts/{payoutRecordId}/approve": () => undefined,
  "/api/wallet/payouts/{payoutRecordId}/deny": () => ({}),
  "/api/wallet/payouts/{payoutRecordId}/cancel": () => undefined,
  "/api/wallet/addresses/weigh": () => ({ addresses: [freshAddress()] }),
  // A payable address would require a signature first.
  "/api/wallet/addresses": () => ({ address: NETWORKS.base.usdc, name: "Somebody" }),
  "/api/wallet/approval-limit": () => ({ limit: "1" }),
  "/api/wallet/spending-caps": () => ({ maxAmountPer24Hours: "1" }),
  "/api/wallet/payee-lists": () => ({ list: "deny", add: ["denied.example"] }),
  "/api/payee-reports": () => ({ address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" }),
  "/api/wallet/recoveries": () => ({ network: "base", token: null }),
  "/api/wallet/low-balance": () => ({ threshold: "1" }),
  "/api/notices/browsers": () => ({
    endpoint: `https://push.example.com/${freshAddress()}`,
    keys: { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: "A".repeat(22) },
  }),
  "/api/seller/logo": () => ({ data: "AAAA" }),
  "/api/seller/domains": () => ({ domain: "shop.example.com" }),
  "/api/seller/domains/{domainId}/verify": () => undefined,
  // A public host would require a signature first.
  "/api/webhooks": () => ({ url: "https://192.168.0.10/" }),
  "/api/webhooks/{webhookId}/rotate": () => undefined,
  "/api/webhooks/{webhookId}/test": () => undefined,
  "/api/webhooks/{webhookId}/verify": () => undefined,
  "/api/webhooks/deliveries/{deliveryId}/replay": () => undefined,
};

const SCANS = "/api/transaction-firewall/{firewallId}/api";

/** A valid body for each endpoint that sells something for a POST. */
export const PAID_BODIES: Record<string, (pair: Parties) => object> = {
  "/api/credits/top-up": ({ agent }) => ({ amount: "250000", agentId: agent.agentId }),
  [`${SCANS}/prompt-scan`]: () => ({ text: "What is the weather in Bern?" }),
  [`${SCANS}/scan`]: () => ({ to: freshAddress() }),
  [`${SCANS}/x402-scan`]: () => ({ paymentRequired: { x402Version: 1, accepts: [] } }),
};

const IDS: Record<string, IdKind> = {
  mandateId: "mandate",
  approvalId: "approval",
  payeeId: "payee",
  refundId: "refund",
  payoutId: "payout",
  payoutRecordId: "payout",
  webhookId: "webhook",
  deliveryId: "delivery",
  domainId: "domain",
  browserId: "browser",
  invoiceId: "invoice",
  fileId: "file",
  imageId: "image",
  linkId: "link",
};
/** A path whose parameters name nothing but the agent. */
export const pathOf = (path: string, { agent }: Parties) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "agentId") return agent.agentId;
    return name === "firewallId" ? "sentinel" : newId(IDS[name] ?? "event");
  });
