import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import {
  newAgent,
  newOwner,
  postSignIn,
  sessionIn,
  siweMessage,
  type TestAgent,
  type TestOwner,
} from "../support/actors";
import { confirmedCall, signedBy } from "../support/confirmations";
import { deployWallet } from "../support/contract-accounts";
import { type Answer, call } from "../support/http";
import { freshAddress, type Json, linkedPair, RESOURCE, signedMandate } from "../support/mandates";
import {
  body,
  decide,
  ended,
  endedOwned,
  funded,
  outcome,
  payout,
  requestedPayout,
  requestPayout,
} from "../support/payouts";
import { shareService } from "../support/service";

const service = shareService();

type Signer = Pick<TestOwner, "session" | "account">;
const post = ({ session }: Pick<Signer, "session">, path: string, json: object = {}, key?: string) =>
  call("POST", path, { session, json, ...(key && { headers: { "idempotency-key": key } }) });
const PAYOUTS = "/api/wallet/payouts";
const BOOK = "/api/wallet/addresses";
const LIMIT = "/api/wallet/approval-limit";
const rich = async () => {
  const owner = await newOwner();
  await funded(service.world, owner, 500_000_000n);
  return owner;
};
const payoutsOf = async ({ session }: Pick<Signer, "session">): Promise<Json[]> =>
  body(await call("GET", PAYOUTS, { session })).payouts;
const reasonIn = (response: Answer) => [...outcome(response), body(response).reason];
const signatureRequired = (reason: string) => [403, "signature_required", reason];
/** Makes an owner's open challenges more than ten minutes older. */
const runOut = ({ address }: TestOwner) => service.opened.sql`
  update confirmations set created_at = created_at - interval '11 minutes', expires_at = now() - interval '1 minute'
  where used_at is null and owner_id = (select id from owners where address = ${address})`;

describe("a session alone cannot", () => {
  test("pay an address that is not in the address book", async () => {
    const owner = await rich();
    const json = payout({ payoutId: "stranger", approve: true });
    const refusal = await post(owner, PAYOUTS, json);
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    expect(body(refusal).typedData).toEqual({
      domain: { name: "Tessera", version: "1", chainId: 8453 },
      types: {
        EIP712Domain: [
          { name: "name", type: "string" },
          { name: "version", type: "string" },
          { name: "chainId", type: "uint256" },
        ],
        NewPayout: [
          { name: "owner", type: "address" },
          { name: "payoutId", type: "string" },
          { name: "network", type: "string" },
          { name: "recipients", type: "Recipient[]" },
          { name: "total", type: "string" },
          { name: "nonce", type: "bytes32" },
          { name: "deadline", type: "uint256" },
        ],
        Recipient: [
          { name: "to", type: "address" },
          { name: "amount", type: "string" },
        ],
      },
      primaryType: "NewPayout",
      message: {
        owner: owner.address,
        payoutId: "stranger",
        network: "Base",
        recipients: [{ to: json.toAddress, amount: "0.01 USDC" }],
        total: "0.01 USDC",
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        deadline: expect.stringMatching(/^\d+$/),
      },
    });
    const lasts = Date.parse(body(refusal).expiresAt) - Date.now();
    expect(lasts).toBeGreaterThan(500_000);
    expect(lasts).toBeLessThanOrEqual(600_000);
    expect(await payoutsOf(owner)).toEqual([]);
    const createdResponse = await post(owner, PAYOUTS, { ...json, signature: await signedBy(owner, refusal) });
    expect(createdResponse.status).toBe(201);
    await endedOwned(owner, body(createdResponse).payout.payoutRecordId);
    expect(await service.world.balanceOf(json.toAddress)).toBe(10_000n);
    // The repeated call finds it, with or without the signature.
    expect((await post(owner, PAYOUTS, json)).status).toBe(200);
  });

  test("add an address to the address book; afterwards paying it needs no signature", async () => {
    const owner = await rich();
    const entry = { address: freshAddress(), name: "Rent" };
    const refusal = await post(owner, BOOK, entry);
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    expect(body(refusal).typedData).toMatchObject({
      primaryType: "NewAddress",
      message: { owner: owner.address, account: entry.address, name: "Rent" },
    });
    expect(body(await call("GET", BOOK, { session: owner.session })).addresses).toEqual([]);
    expect((await post(owner, BOOK, { ...entry, signature: await signedBy(owner, refusal) })).status).toBe(201);
    const paidResponse = await post(owner, PAYOUTS, payout({ toAddress: entry.address, approve: true }));
    expect(paidResponse.status).toBe(201);
    await endedOwned(owner, body(paidResponse).payout.payoutRecordId);
  });

  test("approve an agent's payout to an address that is not in the address book", async () => {
    const { agent, owner } = await linkedPair();
    await funded(service.world, owner);
    const { id, payoutId, json } = await requestedPayout(agent);
    const refusal = await post(owner, `${PAYOUTS}/${id}/approve`);
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    expect(body(refusal).typedData).toMatchObject({
      primaryType: "PayoutApproval",
      message: {
        owner: owner.address,
        payoutRecordId: id,
        payoutId,
        requestedBy: agent.agentId,
        network: "Base",
        recipients: [{ to: json.toAddress, amount: "0.01 USDC" }],
      },
    });
    expect((await post(owner, `${PAYOUTS}/${id}/approve`, { signature: await signedBy(owner, refusal) })).status).toBe(
      200,
    );
    expect((await ended(agent, payoutId)).status).toBe("succeeded");
  });

  test("approve more than the limit, not even to a known address or in rows that are each below it", async () => {
    const owner = await rich();
    const to = freshAddress();
    await confirmedCall(owner, BOOK, { address: to, name: "Known" });
    const of = (amount: string) => payout({ toAddress: to, amount, approve: true });
    expect(reasonIn(await post(owner, PAYOUTS, of("100000001")))).toEqual(signatureRequired("none"));
    const rows = [1, 2].map((n) => payout({ payoutId: `half_${n}`, toAddress: to, amount: "50000001" }));
    const file = await post(owner, `${PAYOUTS}/batch`, { rows, approve: true });
    expect(reasonIn(file)).toEqual(signatureRequired("none"));
    const within = await post(owner, PAYOUTS, of("100000000"));
    expect(within.status).toBe(201);
    await endedOwned(owner, body(within).payout.payoutRecordId);
  });

  test("raise the approval limit; lowering it needs no signature", async () => {
    const owner = await newOwner();
    const limit = async () => body(await call("GET", LIMIT, { session: owner.session })).limit;
    expect(await limit()).toBe("100000000");
    expect(outcome(await post(owner, LIMIT, { limit: "5" }))).toEqual([200, "ok"]);
    expect(reasonIn(await post(owner, LIMIT, { limit: "6" }))).toEqual(signatureRequired("none"));
    expect(await limit()).toBe("5");
    expect(outcome(await post(owner, LIMIT, { limit: "0" }))).toEqual([200, "ok"]);
    const raised = await confirmedCall(owner, LIMIT, { limit: "7000000" });
    expect([...outcome(raised), await limit()]).toEqual([200, "ok", "7000000"]);
    for (const wrong of ["-1", "1.5", 7, null, String(2n ** 96n)]) {
      expect(outcome(await post(owner, LIMIT, { limit: wrong }))).toEqual([400, "invalid_request"]);
    }
    expect(await limit()).toBe("7000000");
  });
});

describe("payments approved with a session alone", () => {
  const APPROVALS = "/api/approvals";
  /** A payment that an agent requests. */
  const wants = async (agent: TestAgent, amount = "10000", resource = RESOURCE) => {
    const json = { amount, payTo: freshAddress(), resource };
    const { status, body } = await call("POST", "/api/payment/x402V1Payment", { bearer: agent.jwt, json });
    expect(status).toBe(202);
    return { id: (body as Json).approvalId as string, json };
  };
  const approve = (owner: Signer, id: string, json: object = {}) => post(owner, `${APPROVALS}/${id}/approve`, json);
  /** An owner who approves three such payments a day without a signature, and has signed something for the agent. */
  const pairOfThree = async () => {
    const pair = await signedMandate();
    expect(outcome(await post(pair.owner, LIMIT, { limit: "30000" }))).toEqual([200, "ok"]);
    return pair;
  };

  test("add up to the limit; each one above it needs a signature", async () => {
    const { agent, owner } = await pairOfThree();
    for (const { id } of [await wants(agent), await wants(agent, "20000")])
      expect(outcome(await approve(owner, id))).toEqual([200, "ok"]);
    const { id, json } = await wants(agent, "1", "https://\u0430pi.example.com/weather");
    const refusal = await approve(owner, id);
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    expect(body(refusal).typedData).toMatchObject({
      primaryType: "PaymentApproval",
      message: {
        owner: owner.address,
        approvalId: id,
        requestedBy: agent.agentId,
        network: "Base",
        to: json.payTo,
        amount: "0.000001 USDC",
        // A letter that looks like another one stays recognisable.
        resource: "https://xn--pi-6kc.example.com/weather",
      },
    });
    const redeem = () =>
      call("POST", "/api/payment/x402V1Payment", { bearer: agent.jwt, json: { ...json, approvalId: id } });
    expect(outcome(await redeem())).toEqual([202, "approval_required"]);
    const stranger = await newOwner();
    const wrong = await approve(owner, id, { signature: await signedBy(stranger, refusal) });
    expect(reasonIn(wrong)).toEqual(signatureRequired("invalid"));
    const other = (await wants(agent, "1")).id;
    const signature = await signedBy(owner, refusal);
    expect(reasonIn(await approve(owner, other, { signature }))).toEqual(signatureRequired("invalid"));
    expect(outcome(await approve(owner, id, { signature }))).toEqual([200, "ok"]);
    expect((await redeem()).status).toBe(200);
    // The payment is approved already: repeating the call changes nothing and needs no signature.
    expect(outcome(await approve(owner, id))).toEqual([200, "ok"]);
    expect(reasonIn(await approve(owner, other))).toEqual(signatureRequired("none"));
  });

  test("do not exceed the limit together when they are sent at once", async () => {
    const { agent, owner } = await pairOfThree();
    const requested = [];
    for (let index = 0; index < 8; index++) requested.push(await wants(agent));
    const responses = await Promise.all(requested.map(({ id }) => approve(owner, id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403, 403, 403, 403]);
  });

  test("count together for all the owner's agents, including one that this session has just linked", async () => {
    const { agent, owner } = await pairOfThree();
    const ownAgent = await newAgent("Thief's agent");
    const { id } = await wants(agent, "25000");
    expect((await approve(owner, id)).status).toBe(200);
    const json = { amount: "10000", payTo: freshAddress(), resource: RESOURCE };
    const { body: wish } = await call("POST", "/api/payment/x402V1Payment", { bearer: ownAgent.jwt, json });
    const { approvalId, approvalUrl } = wish as Json;
    const token = new URL(approvalUrl).searchParams.get("token");
    expect((await post(owner, `${APPROVALS}/${approvalId}/claim`, { token })).status).toBe(200);
    expect(reasonIn(await approve(owner, approvalId))).toEqual(signatureRequired("none"));
  });

  test.each<[string, (id: string, owner: Signer) => Promise<unknown>]>([
    ["was taken back", (id, owner) => post(owner, `${APPROVALS}/${id}/deny`)],
    ["lapsed unused", (id) => service.opened.sql`update approvals set expires_at = now() where id = ${id}`],
    [
      "is a day old",
      (id) => service.opened.sql`update approvals set approved_at = now() - interval '24 hours' where id = ${id}`,
    ],
  ])("are not counted if they %s", async (_, end) => {
    const { agent, owner } = await pairOfThree();
    const { id } = await wants(agent, "30000");
    expect((await approve(owner, id)).status).toBe(200);
    const next = await wants(agent);
    expect(reasonIn(await approve(owner, next.id))).toEqual(signatureRequired("none"));
    await end(id, owner);
    expect((await approve(owner, next.id)).status).toBe(200);
  });

  test("need a signature each with a limit of 0; a denial needs none", async () => {
    const { agent, owner } = await linkedPair();
    await post(owner, LIMIT, { limit: "0" });
    const { id } = await wants(agent, "1");
    expect(reasonIn(await approve(owner, id))).toEqual(signatureRequired("none"));
    expect((await post(owner, `${APPROVALS}/${id}/deny`)).status).toBe(200);
  });

  test.each([7, null, "", "0x", "0xzz", {}, []])("a malformed signature %j is rejected", async (signature) => {
    const { agent, owner } = await linkedPair();
    const { id } = await wants(agent);
    expect(outcome(await approve(owner, id, { signature }))).toEqual([400, "invalid_request"]);
  });
});

describe("changing an agent's receiving address", () => {
  const patch = ({ session }: Signer, { agentId }: TestAgent, json: object) =>
    call("PATCH", `/api/agents/${agentId}`, { session, json });
  const receiverOf = async ({ agentId }: TestAgent) => {
    const [row] = await service.opened.sql`select receiving_address, name from agents where id = ${agentId}`;
    return row?.receiving_address ?? null;
  };

  test("needs a signature over the agent, the address and everything else that the call changes", async () => {
    const { agent, owner } = await linkedPair();
    const [there, elsewhere] = [freshAddress(), freshAddress()];
    const refusal = await patch(owner, agent, { receivingAddress: there });
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    expect(body(refusal).typedData).toMatchObject({
      primaryType: "ReceivingAddress",
      message: { owner: owner.address, agent: "Test agent", agentId: agent.agentId, receivingAddress: there },
    });
    const signature = await signedBy(owner, refusal);
    const second = (await linkedPair()).agent;
    for (const json of [{ receivingAddress: elsewhere }, { receivingAddress: there, name: "Other" }])
      expect(reasonIn(await patch(owner, agent, { ...json, signature }))).toEqual(signatureRequired("invalid"));
    expect((await patch(owner, second, { receivingAddress: there, signature })).status).toBe(404);
    expect(await receiverOf(agent)).toBeNull();
    expect((await patch(owner, agent, { receivingAddress: there, signature })).status).toBe(200);
    expect(await receiverOf(agent)).toBe(there);
    // Setting the same value changes nothing and needs no signature. After another change the old signature is used.
    expect((await patch(owner, agent, { receivingAddress: there })).status).toBe(200);
    expect((await patch(owner, agent, { receivingAddress: null })).status).toBe(200);
    expect(reasonIn(await patch(owner, agent, { receivingAddress: there, signature }))).toEqual(
      signatureRequired("used"),
    );
    expect(await receiverOf(agent)).toBeNull();
  });

  test("is rejected when the signature arrives after ten minutes", async () => {
    const { agent, owner } = await linkedPair();
    const json = { receivingAddress: freshAddress() };
    const signature = await signedBy(owner, await patch(owner, agent, json));
    await runOut(owner);
    expect(reasonIn(await patch(owner, agent, { ...json, signature }))).toEqual(signatureRequired("expired"));
    expect(await receiverOf(agent)).toBeNull();
  });

  test("to the owner's own account or spending wallet needs no signature, and neither do other settings", async () => {
    const { agent, owner } = await linkedPair();
    const { wallets } = body(await call("GET", "/api/wallet", { session: owner.session }));
    const wallet = wallets.find(({ network }: Json) => network === "base").address;
    for (const receivingAddress of [owner.address, wallet, null])
      expect((await patch(owner, agent, { receivingAddress })).status).toBe(200);
    expect((await patch(owner, agent, { name: "Renamed", paymentScan: "block" })).status).toBe(200);
  });
});

describe("no signature is needed for", () => {
  test("a payout to the owner's own address, a payout that is only stored, and a denial", async () => {
    const owner = await rich();
    const own = await post(owner, PAYOUTS, payout({ toAddress: owner.address, amount: "200000000", approve: true }));
    expect(own.status).toBe(201);
    await endedOwned(owner, body(own).payout.payoutRecordId);
    const later = await post(owner, PAYOUTS, payout());
    expect(later.status).toBe(201);
    expect((await post(owner, `${PAYOUTS}/${body(later).payout.payoutRecordId}/cancel`)).status).toBe(200);
  });

  test("an agent's payout under a mandate that the owner signed", async () => {
    const { agent, owner, mandateId } = await signedMandate();
    await funded(service.world, owner);
    expect(outcome(await requestPayout(agent, payout({ payoutId: "mandated", mandateId })))).toEqual([
      201,
      "authorized",
    ]);
    await ended(agent, "mandated");
  });

  test("a withdrawal, which can only go to the owner's own address", async () => {
    const owner = await rich();
    const elsewhere = freshAddress();
    const json = { network: "base", amount: "1000000", toAddress: elsewhere };
    expect(outcome(await post(owner, "/api/wallet/withdrawals", json))).toEqual([400, "not_own_address"]);
    expect((await post(owner, "/api/wallet/withdrawals", { network: "base", amount: "1000000" })).status).toBe(200);
    expect(await service.world.balanceOf(elsewhere)).toBe(0n);
    expect(await service.world.balanceOf(owner.address)).toBe(1_000_000n);
  });
});

describe("a confirmation signature", () => {
  /** A payout that waits for a signature, and its challenge. */
  const challenged = async (change: object = {}) => {
    const owner = await rich();
    const json = { ...payout({ payoutId: "challenged", approve: true }), ...change };
    return { owner, json, challenge: await post(owner, PAYOUTS, json) };
  };

  test.each<[string, (c: Awaited<ReturnType<typeof challenged>>) => Promise<object>, string]>([
    [
      "for another action",
      async ({ owner, json }) => ({
        signature: await signedBy(owner, await post(owner, BOOK, { address: json.toAddress, name: "x" })),
      }),
      "invalid",
    ],
    [
      "by another owner's wallet",
      async ({ challenge }) => ({ signature: await signedBy(await newOwner(), challenge) }),
      "invalid",
    ],
    [
      "over another owner's challenge of the same payout",
      async ({ owner, json }) => ({ signature: await signedBy(owner, await post(await newOwner(), PAYOUTS, json)) }),
      "invalid",
    ],
    [
      "of a body whose amount was changed after",
      async ({ owner, challenge }) => ({ signature: await signedBy(owner, challenge), amount: "10001" }),
      "invalid",
    ],
    [
      "of a body whose recipient was changed after",
      async ({ owner, challenge }) => ({ signature: await signedBy(owner, challenge), toAddress: freshAddress() }),
      "invalid",
    ],
    [
      "of a body whose description was changed after",
      async ({ owner, challenge }) => ({ signature: await signedBy(owner, challenge), description: "other" }),
      "invalid",
    ],
    [
      "of a body whose network was changed after",
      async ({ owner, challenge }) => ({ signature: await signedBy(owner, challenge), network: "base-sepolia" }),
      "invalid",
    ],
    [
      "that has expired",
      async ({ owner, challenge }) => {
        const signature = await signedBy(owner, challenge);
        await runOut(owner);
        return { signature };
      },
      "expired",
    ],
    ["of zeros", async () => ({ signature: `0x${"00".repeat(65)}` }), "invalid"],
    ["with r and s out of range", async () => ({ signature: `0x${"ff".repeat(64)}1b` }), "invalid"],
    ["of one byte", async () => ({ signature: "0x00" }), "invalid"],
    [
      "with a message signature instead",
      async ({ owner }) => ({ signature: await owner.account.signMessage({ message: "NewPayout" }) }),
      "invalid",
    ],
  ])("%s has no effect, and the response contains the challenge to sign", async (_, wrong, reason) => {
    const created = await challenged();
    const response = await post(created.owner, PAYOUTS, { ...created.json, ...(await wrong(created)) });
    expect(reasonIn(response)).toEqual(signatureRequired(reason));
    expect(body(response).typedData.message).toMatchObject({ owner: created.owner.address, nonce: expect.any(String) });
    expect(await payoutsOf(created.owner)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["no hex", "0xzz"],
    ["a number", 5],
    ["null", null],
    ["empty", "0x"],
    ["of ten thousand bytes", `0x${"00".repeat(10_000)}`],
    ["a list", ["0x00"]],
  ])("that is %s is a bad request", async (_, signature) => {
    const { owner, json } = await challenged();
    expect(outcome(await post(owner, PAYOUTS, { ...json, signature }))).toEqual([400, "invalid_request"]);
    expect(await payoutsOf(owner)).toEqual([]);
  });

  test("is valid once: the same call without a payoutId, sent again, needs another signature", async () => {
    const { owner, json, challenge } = await challenged({ payoutId: undefined });
    const signed = { ...json, signature: await signedBy(owner, challenge) };
    expect((await post(owner, PAYOUTS, signed)).status).toBe(201);
    const repeatedResponse = await post(owner, PAYOUTS, signed);
    expect(reasonIn(repeatedResponse)).toEqual(signatureRequired("used"));
    expect(body(repeatedResponse).typedData.message.nonce).not.toBe(body(challenge).typedData.message.nonce);
    const [created, ...others] = await payoutsOf(owner);
    expect(others).toEqual([]);
    await endedOwned(owner, created.payoutRecordId);
  });

  test("is requested with one and the same challenge by twenty simultaneous calls", async () => {
    const owner = await rich();
    const json = payout({ approve: true });
    const refusal = await Promise.all(Array.from({ length: 20 }, () => post(owner, PAYOUTS, json)));
    expect(new Set(refusal.map((response) => body(response).typedData.message.nonce)).size).toBe(1);
  });

  test("sent twenty times at once pays once, with or without a payoutId", async () => {
    for (const payoutId of [undefined, "named"]) {
      const { owner, json, challenge } = await challenged({ payoutId });
      const signed = { ...json, signature: await signedBy(owner, challenge) };
      const responses = await Promise.all(Array.from({ length: 20 }, () => post(owner, PAYOUTS, signed)));
      const expected = payoutId ? Array(19).fill(200) : Array(19).fill(403);
      expect(responses.map(({ status }) => status).sort()).toEqual([...expected, 201].sort());
      const [created, ...others] = await payoutsOf(owner);
      expect(others).toEqual([]);
      await endedOwned(owner, created.payoutRecordId);
      expect(await service.world.balanceOf(json.toAddress)).toBe(10_000n);
    }
  });

  test("for the address book sent twice at once adds the address once", async () => {
    const owner = await newOwner();
    const entry = { address: freshAddress(), name: "Once" };
    const signature = await signedBy(owner, await post(owner, BOOK, entry));
    const responses = await Promise.all([1, 2].map(() => post(owner, BOOK, { ...entry, signature })));
    expect(responses.map(({ status }) => status).sort()[0]).toBe(201);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("is not consumed by a call that fails for another reason", async () => {
    const owner = await newOwner();
    const json = payout({ payoutId: "poor", approve: true });
    const signature = await signedBy(owner, await post(owner, PAYOUTS, json));
    expect(outcome(await post(owner, PAYOUTS, { ...json, signature }))).toEqual([409, "insufficient_balance"]);
    await funded(service.world, owner);
    const createdResponse = await post(owner, PAYOUTS, { ...json, signature });
    expect(createdResponse.status).toBe(201);
    await endedOwned(owner, body(createdResponse).payout.payoutRecordId);
  });

  test("can be added to a repeated call with the Idempotency-Key of the call that lacked it", async () => {
    const { owner, json } = await challenged();
    const refusal = await post(owner, PAYOUTS, json, "once");
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    const createdResponse = await post(owner, PAYOUTS, { ...json, signature: await signedBy(owner, refusal) }, "once");
    expect(createdResponse.status).toBe(201);
    await endedOwned(owner, body(createdResponse).payout.payoutRecordId);
  });

  test("is requested with the same challenge for repeated calls, and with a new one later", async () => {
    const { owner, json, challenge } = await challenged();
    const nonce = (response: Answer) => body(response).typedData.message.nonce;
    const repeated = await Promise.all([1, 2, 3].map(() => post(owner, PAYOUTS, json)));
    expect(new Set(repeated.map(nonce))).toEqual(new Set([nonce(challenge)]));
    await runOut(owner);
    expect(nonce(await post(owner, PAYOUTS, json))).not.toBe(nonce(challenge));
  });

  test("for one approval does not approve another payout with the same recipient and amount", async () => {
    const { agent, owner } = await linkedPair();
    await funded(service.world, owner);
    const toAddress = freshAddress();
    const [first, second] = [await requestedPayout(agent, { toAddress }), await requestedPayout(agent, { toAddress })];
    const signature = await signedBy(owner, await post(owner, `${PAYOUTS}/${first.id}/approve`));
    expect(reasonIn(await post(owner, `${PAYOUTS}/${second.id}/approve`, { signature }))).toEqual(
      signatureRequired("invalid"),
    );
    expect((await post(owner, `${PAYOUTS}/${first.id}/approve`, { signature })).status).toBe(200);
    await ended(agent, first.payoutId);
    expect(body(await decide(owner, second.id, "deny")).payout.status).toBe("denied");
  });
});

describe("a batch of payouts", () => {
  const rowsOf = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => payout({ payoutId: `${name}_${index}` }));

  test("is signed once as a whole, over its total amounts and the hash of its rows", async () => {
    const owner = await rich();
    const rows = [...rowsOf(3, "whole"), payout({ payoutId: "whole_s", network: "base-sepolia" }), "not a row"];
    const json = { rows, approve: true };
    const refusal = await post(owner, `${PAYOUTS}/batch`, json);
    expect(reasonIn(refusal)).toEqual(signatureRequired("none"));
    expect(body(refusal).typedData).toMatchObject({
      domain: { chainId: 8453 },
      primaryType: "PayoutBatch",
      message: {
        owner: owner.address,
        payouts: 4,
        recipients: 4,
        totalOnBase: "0.03 USDC",
        totalOnBaseSepolia: "0.01 USDC",
        batchHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
    const signature = await signedBy(owner, refusal);
    const changed = { ...json, rows: [...rows.slice(0, 2), payout({ payoutId: "whole_2" }), ...rows.slice(3)] };
    expect(reasonIn(await post(owner, `${PAYOUTS}/batch`, { ...changed, signature }))).toEqual(
      signatureRequired("invalid"),
    );
    expect(await payoutsOf(owner)).toEqual([]);
    const createdResponse = await post(owner, `${PAYOUTS}/batch`, { ...json, signature });
    expect(body(createdResponse).results.map((result: Json) => result.status)).toEqual([201, 201, 201, 409, 400]);
    // The rest of the file needs another signature, because this one is used.
    expect(reasonIn(await post(owner, `${PAYOUTS}/batch`, { ...json, signature }))).toEqual(signatureRequired("used"));
    for (const { payoutRecordId } of await payoutsOf(owner)) await endedOwned(owner, payoutRecordId);
    const settled = { rows: rows.slice(0, 3), approve: true };
    expect(body(await post(owner, `${PAYOUTS}/batch`, settled)).results.map((each: Json) => each.status)).toEqual([
      200, 200, 200,
    ]);
  });

  test("with one signature sent twice at once is accepted once", async () => {
    const owner = await rich();
    const json = { rows: rowsOf(2, "race"), approve: true };
    const signature = await signedBy(owner, await post(owner, `${PAYOUTS}/batch`, json));
    const responses = await Promise.all([1, 2].map(() => post(owner, `${PAYOUTS}/batch`, { ...json, signature })));
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    const created = await payoutsOf(owner);
    expect(created).toHaveLength(2);
    for (const { payoutRecordId } of created) await endedOwned(owner, payoutRecordId);
  });
});

describe("a contract wallet as owner", () => {
  const person = () => privateKeyToAccount(generatePrivateKey());
  const signedIn = async () => {
    const account = person();
    const address = await deployWallet(service.world, account.address);
    const message = await siweMessage(address);
    const session = sessionIn(await postSignIn(message, await account.signMessage({ message }))) ?? "";
    return { account, address, session };
  };

  test("confirms with a signature that its contract accepts", async () => {
    const owner = await signedIn();
    const entry = { address: freshAddress(), name: "By contract" };
    const refusal = await post(owner, BOOK, entry);
    expect(body(refusal).typedData.message.owner).toBe(owner.address);
    const strangers = await signedBy({ account: person() }, refusal);
    expect(reasonIn(await post(owner, BOOK, { ...entry, signature: strangers }))).toEqual(signatureRequired("invalid"));
    expect((await post(owner, BOOK, { ...entry, signature: await signedBy(owner, refusal) })).status).toBe(201);
  });

  test("has not confirmed if its contract no longer accepts the signature when it is used", async () => {
    const owner = await signedIn();
    const entry = { address: freshAddress(), name: "Changed its mind" };
    const signature = await signedBy(owner, await post(owner, BOOK, entry));
    const client = service.world.client();
    const other = await client.getCode({ address: await deployWallet(service.world, person().address) });
    await client.setCode({ address: owner.address, bytecode: other ?? "0x" });
    expect(reasonIn(await post(owner, BOOK, { ...entry, signature }))).toEqual(signatureRequired("invalid"));
    expect(body(await call("GET", BOOK, { session: owner.session })).addresses).toEqual([]);
  });
});
