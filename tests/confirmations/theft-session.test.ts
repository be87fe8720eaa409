import { beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { confirmedCall, signedBy } from "../support/confirmations";
import { endpoints, named } from "../support/endpoints";
import { type Answer, BASE_URL, call } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, proposed, signedMandate, v3 } from "../support/mandates";
import { body, funded, outcome, payout, requestedPayout, requestPayout, walletOf } from "../support/payouts";
import { until } from "../support/replica";
import { shareService } from "../support/service";
import { vaultMandate } from "../support/vault-mandates";

/**
 * A thief has an owner's session cookie, separate accounts and agents, and nothing else. The thief tries every endpoint that takes
 * a session. Nothing of what the owner has in mandates, wallet and vault may come to them, or leave to anybody but the owner.
 */
const service = shareService();

const IN_WALLET = 50_000_000n;
const IN_VAULT = 10_000_000n;

let owner: TestOwner;
/** Its owner has signed a mandate for it, for any host and payee. */
let agent: TestAgent;
let mandateId: string;
let paused: string;
let vault: Address;
let vaultMandateId: string;
let webhookId: string;
let payeeId: string;
let wallet: Address;
/** The thief's own account at this service, with an agent that sells. */
let thief: { owner: TestOwner; agent: TestAgent; wallet: Address };
const loot = freshAddress();

const balanceOf = (address: Address) => service.world.balanceOf(address);
const stolen = async () => (await balanceOf(loot)) + (await balanceOf(thief.wallet));

/** With the cookie alone. */
const withCookie = (method: string, path: string, json?: object) =>
  call(method, path, { session: owner.session, ...(json && { json }) });

/** With the cookie, and then with a signature of the thief's own wallet. Both must be refused. */
async function expectRefusal(method: string, path: string, json: object = {}): Promise<Answer> {
  const first = await withCookie(method, path, json);
  expect({ path, outcome: outcome(first) }).toEqual({ path, outcome: [403, "signature_required"] });
  const forged = await withCookie(method, path, { ...json, signature: await signedBy(thief.owner, first) });
  expect([...outcome(forged), body(forged).reason]).toEqual([403, "signature_required", "invalid"]);
  return first;
}

/** What the thief does with an agent's token: has the mandate pay at their own address. */
async function spend(token: string, under: string): Promise<void> {
  const login = await call("POST", "/refresh", { json: { agent_id: agent.agentId, token } });
  await pay(body(login).jwt, under);
}

async function pay(jwt: string, under: string): Promise<void> {
  const upl = `/unifypaymentlink/agentid/${thief.agent.agentId}?amount=1000000&asset=usdc`;
  const { payTo } = body(await call("GET", upl)).accepts[0];
  const json = v3(under, { payTo, amount: "1000000", resource: `${BASE_URL}${upl}` });
  const signed = await call("POST", "/api/payment/x402V3Payment", { bearer: jwt, json });
  if (signed.status === 200) await call("GET", upl, { headers: { "x-payment": body(signed).xPaymentB64 } });
}

/** A payment for which an agent of the thief requests the owner's approval. */
async function wish(jwt: string): Promise<{ approvalId: string; token: string | null }> {
  const json = { amount: "10000", payTo: loot, resource: "https://thief.example/" };
  const asked = await call("POST", "/api/payment/x402V1Payment", { bearer: jwt, json });
  expect(asked.status).toBe(202);
  const { approvalId, approvalUrl } = body(asked);
  return { approvalId, token: new URL(approvalUrl).searchParams.get("token") };
}

/** An agent that the thief adds to the owner's account, which needs no signature. */
async function planted(): Promise<TestAgent> {
  const added = await withCookie("POST", "/api/agents", { name: "Helper" });
  expect(added.status).toBe(201);
  const { agent: item, token } = body(added);
  const login = await call("POST", "/refresh", { json: { agent_id: item.agentId, token } });
  return { agentId: item.agentId, token, jwt: body(login).jwt };
}

beforeAll(async () => {
  ({ owner, agent, mandateId } = await signedMandate({ limitAmount: "20000000" }));
  paused = (await signedMandate({ limitAmount: "20000000" }, { owner, agent })).mandateId;
  await owned(owner, paused, "enabled", { isEnabled: false });
  const sealed = await vaultMandate(service.world, {}, {}, { owner, agent });
  [vault, vaultMandateId] = [sealed.vault, sealed.mandateId];
  wallet = await funded(service.world, owner, IN_WALLET);
  const hook = await confirmedCall(owner, "/api/webhooks", { url: "https://hooks.example.com/a" });
  webhookId = body(hook).webhook.webhookId;
  const strict = await signedMandate({ confirmPayees: true }, { owner, agent });
  const request = v3(strict.mandateId, { payTo: loot, resource: "http://localhost:9/unreachable" });
  const waits = await call("POST", "/api/payment/x402V3Payment", { bearer: agent.jwt, json: request });
  payeeId = body(waits).payeeId;
  await withCookie("PATCH", `/api/agents/${agent.agentId}`, { paymentScan: "review" });
  const ownParties = await linkedPair();
  thief = { ...ownParties, wallet: await funded(service.world, ownParties.owner, 0n) };
  await until(async () => (await balanceOf(vault)) === IN_VAULT, "the vault's money");
});

const agentPath = () => `/api/agents/${agent.agentId}`;
const mandatePath = (id = mandateId) => `/api/mandates/${id}`;
const webhookPath = () => `/api/webhooks/${webhookId}`;

/** Moves no money, by what it does. */
const HARMLESS = {
  alert: "changes what the owner is told, and moves nothing",
  sells: "what it sells is paid to the owner",
  less: "takes a right away",
  refund: "pays back only those who paid, at most what they paid",
  inert: "creates nothing that can pay",
  ours: "names the owner in public, and moves nothing",
} as const;

/** What the thief tries at each endpoint, or why there is nothing to try. An endpoint that is missing here fails. */
const ATTEMPTS: Record<string, (() => Promise<unknown>) | keyof typeof HARMLESS> = {
  "POST /api/agents/{agentId}/token": async () => {
    for (const revokeOld of [false, true]) await expectRefusal("POST", `${agentPath()}/token`, { revokeOld });
  },
  "POST /api/agents": async () => {
    const { jwt } = await planted();
    for (const id of [mandateId, paused, vaultMandateId]) await pay(jwt, id);
    const { approvalId } = await wish(jwt);
    await expectRefusal("POST", `/api/approvals/${approvalId}/approve`);
  },
  "PATCH /api/agents/{agentId}": async () => {
    await expectRefusal("PATCH", agentPath(), { receivingAddress: loot });
    for (const paymentScan of ["off", "block"]) await expectRefusal("PATCH", agentPath(), { paymentScan });
    const both = await expectRefusal("PATCH", agentPath(), { receivingAddress: loot, paymentScan: "off" });
    expect(body(both).typedData).toMatchObject({
      primaryType: "AgentSettings",
      message: { receivingAddress: loot, paymentScan: expect.stringMatching(/^off/) },
    });
    // Beside a harmless change as well.
    await expectRefusal("PATCH", agentPath(), { name: "Renamed", paymentScan: "off" });
  },
  "DELETE /api/agents/{agentId}": "less",
  "POST /api/connections": async () => {
    const redirect_uri = "https://loot.example/";
    const { client_id } = body(await call("POST", "/oauth/register", { json: { redirect_uris: [redirect_uri] } }));
    const challenge = { code_challenge: "c".repeat(43), code_challenge_method: "S256" };
    const request = { response_type: "code", client_id, redirect_uri, ...challenge };
    await expectRefusal("POST", "/api/connections", { request, agentId: agent.agentId });
  },
  "DELETE /api/connections/{connectionId}": "less",
  "POST /api/agents/{agentId}/credentials": async () => {
    const json = { challenge: "c", audience: "https://a.example", ttl_seconds: 60 };
    const { vc } = body(await withCookie("POST", `${agentPath()}/credentials`, json));
    expect(vc).toEqual(expect.any(String));
    await pay(vc, mandateId);
  },
  "POST /api/mandates/{mandateId}/claim": async () => {
    const ownAgent = await newAgent();
    const { mandateId: id, token } = await proposed(ownAgent, { limitAmount: "20000000" });
    await owned(owner, id, "claim", { token });
    await pay(ownAgent.jwt, id);
  },
  "PATCH /api/mandates/{mandateId}": async () => {
    for (const json of [{ limitAmount: "90000000" }, { confirmPayees: false }, { hostAllowlist: [] }])
      expect((await withCookie("PATCH", mandatePath(), json)).status).toBeGreaterThanOrEqual(400);
  },
  "POST /api/mandates/{mandateId}/signature": async () => {
    const { jwt } = await planted();
    const { mandateId: id, token } = await proposed({ ...agent, jwt }, { limitAmount: "20000000" });
    await owned(owner, id, "claim", { token });
    const typedData = await withCookie("GET", `${mandatePath(id)}/typed-data`);
    const signature = await signedBy(thief.owner, { body: { typedData: typedData.body } });
    expect((await withCookie("POST", `${mandatePath(id)}/signature`, { signature })).status).toBe(422);
    await pay(jwt, id);
  },
  "POST /api/mandates/{mandateId}/enabled": async () => {
    await expectRefusal("POST", `${mandatePath(paused)}/enabled`, { isEnabled: true });
  },
  "POST /api/mandates/{mandateId}/revoke": "less",
  "POST /api/mandates/{mandateId}/refusing-sellers/forget": "inert",
  "POST /api/mandates/{mandateId}/reject": "less",
  "POST /api/mandates/{mandateId}/move-to-vault": async () => {
    const movedResponse = await withCookie("POST", `${mandatePath()}/move-to-vault`, {});
    if (movedResponse.status === 200) await pay(agent.jwt.slice(0, -1), body(movedResponse).mandate.mandateId);
  },
  "POST /api/payees/{payeeId}/confirm": () => expectRefusal("POST", `/api/payees/${payeeId}/confirm`),
  "POST /api/payees/{payeeId}/refuse": "less",
  "POST /api/approvals/{approvalId}/claim": async () => {
    const ownAgent = await newAgent();
    const { approvalId, token } = await wish(ownAgent.jwt);
    expect((await withCookie("POST", `/api/approvals/${approvalId}/claim`, { token })).status).toBe(200);
    await expectRefusal("POST", `/api/approvals/${approvalId}/approve`);
  },
  "POST /api/approvals/{approvalId}/approve": async () => {
    const { jwt } = await planted();
    for (const _ of [1, 2]) await expectRefusal("POST", `/api/approvals/${(await wish(jwt)).approvalId}/approve`);
  },
  "POST /api/approvals/approve": async () => {
    const { jwt } = await planted();
    const approvalIds = [(await wish(jwt)).approvalId, (await wish(jwt)).approvalId];
    await expectRefusal("POST", "/api/approvals/approve", { approvalIds });
  },
  "POST /api/approvals/{approvalId}/deny": "less",
  "POST /api/approvals/{approvalId}/mandate": async () => {
    const { jwt } = await planted();
    const { approvalId } = await wish(jwt);
    const json = { limitAmount: "20000000", validForSeconds: 3600 };
    const drafted = await withCookie("POST", `/api/approvals/${approvalId}/mandate`, json);
    if (drafted.status < 300) await pay(jwt, body(drafted).mandateId ?? body(drafted).mandate?.mandateId);
  },
  "POST /api/wallet/approval-limit": () => expectRefusal("POST", "/api/wallet/approval-limit", { limit: "900000000" }),
  "POST /api/wallet/spending-caps": async () => {
    const cap = { maxAmountPer24Hours: "900000000" };
    expect((await withCookie("POST", "/api/wallet/spending-caps", cap)).status).toBe(200);
    await expectRefusal("POST", "/api/wallet/spending-caps", { maxAmountPer24Hours: "900000001" });
    await expectRefusal("POST", "/api/wallet/spending-caps", { ...cap, waitingMax: 1 });
    await expectRefusal("POST", "/api/wallet/spending-caps", {});
  },
  "POST /api/wallet/payee-lists": async () => {
    const path = "/api/wallet/payee-lists";
    const add = ["denied.example"];
    expect((await withCookie("POST", path, { list: "deny", add, isAllowListOn: true })).status).toBe(200);
    await expectRefusal("POST", path, { list: "deny", remove: add });
    await expectRefusal("POST", path, { list: "allow", add: [loot] });
    const off = { list: "allow", isAllowListOn: false };
    await expectRefusal("POST", path, off);
    // The other attacks must not be refused for this reason.
    expect((await confirmedCall(owner, path, off)).status).toBe(200);
  },
  "POST /api/wallet/recoveries": async () => {
    const value = 20_000_000_000_000_000n;
    await service.world.client("base").setBalance({ address: toAddress(await walletOf(owner)), value });
    await expectRefusal("POST", "/api/wallet/recoveries", { network: "base", token: null });
  },
  "POST /api/wallet/addresses": () => expectRefusal("POST", "/api/wallet/addresses", { address: loot, name: "Rent" }),
  "PATCH /api/wallet/addresses/{address}": "inert",
  "DELETE /api/wallet/addresses/{address}": "less",
  "POST /api/wallet/addresses/weigh": "inert",
  "POST /api/wallet/payouts": () =>
    expectRefusal("POST", "/api/wallet/payouts", payout({ payoutId: "stolen", toAddress: loot, approve: true })),
  "POST /api/wallet/payouts/batch": () =>
    expectRefusal("POST", "/api/wallet/payouts/batch", {
      rows: [{ payoutId: "row", toAddress: loot, amount: "10000" }],
      approve: true,
    }),
  "POST /api/wallet/payouts/{payoutRecordId}/claim": "inert",
  "POST /api/wallet/payouts/{payoutRecordId}/approve": async () => {
    const { id } = await requestedPayout(await planted(), { toAddress: loot });
    await expectRefusal("POST", `/api/wallet/payouts/${id}/approve`);
  },
  "POST /api/wallet/payouts/approve": async () => {
    const { id } = await requestedPayout(await planted(), { toAddress: loot });
    await expectRefusal("POST", "/api/wallet/payouts/approve", { payoutRecordIds: [id] });
    await requestPayout(await planted(), payout({ payoutId: "mandated", toAddress: loot, mandateId }));
  },
  "POST /api/wallet/payouts/{payoutRecordId}/deny": "less",
  "POST /api/wallet/payouts/{payoutRecordId}/cancel": "less",
  "POST /api/wallet/withdrawals": async () => {
    const json = { network: "base", amount: "1000000", toAddress: loot };
    expect(outcome(await withCookie("POST", "/api/wallet/withdrawals", json))).toEqual([400, "not_own_address"]);
  },
  "POST /api/wallet/deposits": "inert",
  "POST /api/wallet/low-balance": "alert",
  "POST /api/credits/purchases": () => expectRefusal("POST", "/api/credits/purchases", { amount: "10000000" }),
  "POST /api/webhooks": async () => {
    await expectRefusal("POST", "/api/webhooks", { url: "https://thief.example/hooks" });
    await expectRefusal("POST", "/api/webhooks", { url: "https://hooks.example.com.thief.example/a" });
  },
  "PATCH /api/webhooks/{webhookId}": async () => {
    await expectRefusal("PATCH", webhookPath(), { url: "https://thief.example/hooks" });
    await expectRefusal("PATCH", webhookPath(), {
      url: "https://thief.example/hooks",
      enabled: true,
      eventTypes: null,
    });
  },
  "POST /api/webhooks/{webhookId}/rotate": () => expectRefusal("POST", `${webhookPath()}/rotate`),
  "DELETE /api/webhooks/{webhookId}": "less",
  "POST /api/webhooks/{webhookId}/test": "alert",
  "POST /api/webhooks/{webhookId}/verify": "alert",
  "POST /api/webhooks/deliveries/{deliveryId}/replay": "alert",
  "PATCH /api/notices": "alert",
  "POST /api/notices/browsers": "alert",
  "DELETE /api/notices/browsers/{browserId}": "alert",
  "DELETE /api/sessions/{sessionId}": "less",
  "DELETE /api/sessions": "less",
  "POST /api/refunds": "refund",
  "POST /api/refunds/approve": "refund",
  "POST /api/refunds/{refundId}/approve": "refund",
  "POST /api/refunds/{refundId}/reject": "less",
  "POST /api/agents/{agentId}/payment-links": "sells",
  "PATCH /api/agents/{agentId}/payment-links/{linkId}": "sells",
  "DELETE /api/agents/{agentId}/payment-links/{linkId}": "less",
  // It shows the thief what any buyer gets.
  "POST /api/agents/{agentId}/payment-links/{linkId}/test-call": "inert",
  // What anybody can request of that API.
  "POST /api/upstream-document": "inert",
  "POST /api/agents/{agentId}/link-files": "sells",
  "POST /api/agents/{agentId}/link-images": "sells",
  "POST /api/agents/{agentId}/invoices": "sells",
  "POST /api/agents/{agentId}/invoices/{invoiceId}/cancel": "less",
  // A key lets somebody settle what their payers signed, within its limits.
  "POST /api/facilitator/keys": "inert",
  "PATCH /api/facilitator/keys/{keyId}": "inert",
  "DELETE /api/facilitator/keys/{keyId}": "less",
  "POST /api/seller/domains": "ours",
  "POST /api/seller/domains/{domainId}/verify": "ours",
  "DELETE /api/seller/domains/{domainId}": "less",
  "PATCH /api/seller/profile": "ours",
  "POST /api/seller/logo": "ours",
  "DELETE /api/seller/logo": "less",
};

const changingEndpoints = endpoints.filter(({ auth, method }) => auth === "owner" && method !== "GET").map(named);

describe("a thief with an owner's session cookie and nothing else", () => {
  test("cannot get a token of the owner's agent, with which the thief could spend its mandates", async () => {
    const response = await withCookie("POST", `${agentPath()}/token`, { revokeOld: false });
    const { token } = body(response);
    if (token !== undefined) await spend(token, mandateId);
    expect([await stolen(), outcome(response)]).toEqual([0n, [403, "signature_required"]]);
  });

  test("is tried at every endpoint that takes a session: this test's table lists each of them", () => {
    expect(Object.keys(ATTEMPTS).sort()).toEqual([...changingEndpoints].sort());
  });

  test.each(changingEndpoints.filter((endpointName) => typeof ATTEMPTS[endpointName] === "function"))(
    "steals nothing by %s",
    async (endpointName) => {
      const attempt = ATTEMPTS[endpointName];
      if (typeof attempt === "function") await attempt();
      expect(await stolen()).toBe(0n);
      expect([await balanceOf(wallet), await balanceOf(vault)]).toEqual([IN_WALLET, IN_VAULT]);
    },
  );

  test("has changed nothing: the mandate is still paused, the scan still on, and the webhook's URL the same", async () => {
    const { sql } = service.opened;
    const [mandate] = await sql`select is_enabled from mandates where id = ${paused}`;
    const [row] = await sql`select payment_scan, receiving_address, name from agents where id = ${agent.agentId}`;
    const webhooks = await sql`select url from webhooks
      where owner_id = (select owner_id from mandates where id = ${mandateId}) and (id = ${webhookId} or url like '%thief%')`;
    expect(mandate).toEqual({ is_enabled: false });
    expect(row).toEqual({ payment_scan: "review", receiving_address: null, name: "Test agent" });
    expect([...webhooks]).toEqual([{ url: "https://hooks.example.com/a" }]);
  });

  test("can still remove permissions, and send the owner's money to the owner", async () => {
    expect((await withCookie("POST", "/api/wallet/withdrawals", { network: "base", amount: "1000000" })).status).toBe(
      200,
    );
    expect((await withCookie("PATCH", agentPath(), { paymentScan: "review" })).status).toBe(200);
    await owned(owner, mandateId, "enabled", { isEnabled: false });
    await owned(owner, mandateId, "revoke");
    expect(await stolen()).toBe(0n);
  });
});

describe("the owner with their wallet", () => {
  test("can do everything that the thief could not, and each message to sign says in words what it does", async () => {
    const messages: Json[] = [];
    const signed = async (method: "POST" | "PATCH", path: string, json: object = {}) => {
      const asked = await withCookie(method, path, json);
      const { primaryType, message } = body(asked).typedData;
      messages.push([primaryType, message]);
      const { status } = await withCookie(method, path, { ...json, signature: await signedBy(owner, asked) });
      expect([path, status < 300]).toEqual([path, true]);
    };
    await signed("POST", `${mandatePath(paused)}/enabled`, { isEnabled: true });
    await signed("PATCH", agentPath(), { paymentScan: "off" });
    await signed("PATCH", webhookPath(), { url: "https://new.example.com/hooks" });
    await signed("POST", "/api/webhooks", { url: "https://other.example.com/", eventTypes: ["payment.settled"] });
    await signed("POST", `${webhookPath()}/rotate`);
    await signed("POST", `/api/payees/${payeeId}/confirm`);
    await signed("POST", "/api/credits/purchases", { amount: "10000" });
    await signed("POST", `${agentPath()}/token`, { revokeOld: true });
    const { agentId } = agent;
    const named = { agent: "Test agent", agentId };
    expect(messages).toMatchObject([
      ["MandateResumption", { ...named, mandateId: paused, limit: "20.00 USDC" }],
      ["PaymentScan", { ...named, paymentScan: "off: no payment is refused" }],
      ["WebhookReceiver", { host: "new.example.com", url: "https://new.example.com/hooks", events: "all" }],
      ["WebhookReceiver", { host: "other.example.com", events: "payment.settled" }],
      ["WebhookSecret", { url: "https://new.example.com/hooks", webhookId }],
      ["PayeeConfirmation", { host: "http://localhost:9", network: "Base", payTo: loot }],
      ["CreditPurchase", { amount: "0.01 USDC" }],
      ["AgentToken", { ...named, oldToken: "is revoked now" }],
    ]);
    // A signature is for one call.
    expect(outcome(await withCookie("POST", `${agentPath()}/token`, { revokeOld: true }))[0]).toBe(403);
  });

  test("signs nothing for a second webhook at a known host, or for a change that repeats the present state", async () => {
    const created = await withCookie("POST", "/api/webhooks", { url: "https://new.example.com/second" });
    expect(created.status).toBe(201);
    const { webhookId: second } = body(created).webhook;
    const path = `/api/webhooks/${second}`;
    expect((await withCookie("PATCH", path, { url: "https://new.example.com/third" })).status).toBe(200);
    expect((await withCookie("POST", `${mandatePath(paused)}/enabled`, { isEnabled: true })).status).toBe(200);
    expect((await withCookie("POST", `/api/payees/${payeeId}/confirm`, {})).status).toBe(200);
    expect((await withCookie("PATCH", agentPath(), { paymentScan: "off" })).status).toBe(200);
    // A host counts only while a webhook is there.
    expect((await withCookie("DELETE", path)).status).toBe(200);
    expect((await withCookie("DELETE", webhookPath())).status).toBe(200);
    expect((await withCookie("POST", "/api/webhooks", { url: "https://new.example.com/again" })).status).toBe(403);
  });

  test("signs an agent's mandate; afterwards the session alone approves that agent's payments within the limit", async () => {
    const pair = await linkedPair();
    const approve = async (json: object = {}) => {
      const { approvalId } = await wish(pair.agent.jwt);
      return {
        approvalId,
        answer: await call("POST", `/api/approvals/${approvalId}/approve`, { session: pair.owner.session, json }),
      };
    };
    const { approvalId, answer } = await approve();
    expect(outcome(answer)).toEqual([403, "signature_required"]);
    const path = `/api/approvals/${approvalId}/approve`;
    expect((await confirmedCall(pair.owner, path, {})).status).toBe(200);
    // What was signed names one payment, not those that follow.
    expect(outcome((await approve()).answer)).toEqual([403, "signature_required"]);
    await signedMandate({}, pair);
    expect((await approve()).answer.status).toBe(200);
    const otherOwner = await newOwner();
    expect((await call("POST", path, { session: otherOwner.session, json: {} })).status).toBe(404);
  });
});
