import { privateKeyToAddress } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { type Address, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { MULTICALL3, NETWORKS } from "@/lib/x402/networks";
import { newAgent, newOwner, type TestAgent } from "../support/actors";
import { BASE_URL, call } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, type Parties, pay, signedMandate } from "../support/mandates";
import {
  body,
  cancel,
  createPayout,
  decide,
  ended,
  endedOwned,
  funded,
  outcome,
  payout,
  readPayout,
  requestedPayout,
  requestPayout,
  WRONG_CHECKSUM,
  walletOf,
} from "../support/payouts";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { changeToken } from "../support/token";

const service = runService();
/** Shared by tests that leave nothing behind that others could see. */
let pair: Parties;
beforeAll(async () => {
  pair = await linkedPair();
});

const books = async () => {
  const { sql } = service.opened;
  return [
    ...(await sql`select id, approved_at, denied_at, cancelled_at from payouts order by id`),
    ...(await sql`select payout, index, settlement_id from payout_legs order by payout, index`),
    ...(await sql`select id from settlements where purpose = 'payout' order by id`),
  ];
};
const typesOf = async (subject: string) => {
  const rows = await service.opened.sql`select type from events where subject = ${subject}`;
  return rows.map((row) => row.type).sort();
};
/** Whether the owner gets a notice that the payout waits. */
const awaitsOwner = async (subject: string) => {
  const [row] = await service.opened
    .sql`select meta from events where subject = ${subject} and type = 'payout.created'`;
  return row && row.meta.summary !== null;
};
const expire = (id: string) => service.opened.sql`update payouts set expires_at = now() where id = ${id}`;
const mandateOf = async ({ jwt }: TestAgent, mandateId: string): Promise<Json> =>
  body(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: jwt })).mandate;

/** An owner and agent with a signed mandate and money. */
async function ready(terms: object = {}, atomic = 1_000_000n) {
  const parties = await signedMandate(terms);
  return { ...parties, wallet: await funded(service.world, parties.owner, atomic) };
}

describe("a payout without a mandate", () => {
  test("is stored and waits for the owner: 201 with the URL of its page", async () => {
    const { agent } = pair;
    const floorBefore = Math.floor(Date.now() / 1000);
    const json = payout({ payoutId: "reward_1", bizId: "order:7", description: "For July" });
    const response = await requestPayout(agent, json);
    const { payout: repeated, summary, ...item } = body(response);
    expect(summary).toMatchObject({ kind: "payout", reason: "For July" });
    expect([response.status, item]).toEqual([
      201,
      {
        payoutId: "reward_1",
        payoutRecordId: expect.stringMatching(/^po_[0-9A-Za-z]{24}$/),
        status: "pending_authorization",
        txHash: null,
        toAddress: json.toAddress,
        amount: "10000",
        amountFormatted: "0.01",
        currency: "USDC",
        network: "base",
        assetAddress: NETWORKS.base.usdc,
        agentId: agent.agentId,
        agentName: "Test agent",
        mandateId: null,
        bizId: "order:7",
        description: "For July",
        legs: [
          {
            index: 0,
            toAddress: json.toAddress,
            amount: "10000",
            amountFormatted: "0.01",
            shareBps: null,
            status: null,
            txHash: null,
            failureCode: null,
            stillValidUntil: null,
            settlementId: null,
            receiptUrl: null,
          },
        ],
        failureReason: null,
        approvalUrl: expect.stringMatching(
          new RegExp(`^${BASE_URL}/authorize/payout/${item.payoutRecordId}\\?token=[\\w-]{43}$`),
        ),
        expiresAt: expect.any(Number),
        createdAt: expect.any(String),
        approvedAt: null,
        executedAt: null,
        confirmations: null,
      },
    ]);
    expect(repeated).toEqual(item);
    expect(item.expiresAt - 3600).toBeGreaterThanOrEqual(floorBefore);
    expect(item.expiresAt - 3600).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    expect(await typesOf(item.payoutRecordId)).toEqual(["payout.created"]);
    expect(await awaitsOwner(item.payoutRecordId)).toBe(true);
  });

  test("has the same page URL in each response, and its token is not stored in the database", async () => {
    const { agent } = pair;
    const { json, payoutId, id, approvalUrl, token } = await requestedPayout(agent);
    expect(body(await readPayout(agent, payoutId)).approvalUrl).toBe(approvalUrl);
    expect(body(await requestPayout(agent, { ...json, payoutId })).approvalUrl).toBe(approvalUrl);
    const [row] = await service.opened.sql`select * from payouts where id = ${id}`;
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test("accepts every field in the spelling of existing clients", async () => {
    const { agent } = pair;
    const to = freshAddress();
    const response = await requestPayout(agent, {
      agentId: agent.agentId,
      toAddress: to.toLowerCase(),
      amount: "1",
      currency: "USDC",
      network: "eip155:84532",
      assetAddress: NETWORKS["base-sepolia"].usdc.toLowerCase(),
      payoutId: "A.b_c:d-9",
      mandateId: null,
      bizId: null,
      description: null,
      recipients: null,
    });
    expect([response.status, response.body]).toMatchObject([
      201,
      { payoutId: "A.b_c:d-9", toAddress: to, network: "base-sepolia", bizId: null, description: "" },
    ]);
  });

  const two = (first: object, second: object) => ({
    toAddress: undefined,
    amount: undefined,
    recipients: [first, second],
  });
  const somebody = toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
  const another = toAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC");

  test.each<[string, object, number, string, RegExp]>([
    ["no recipient", { toAddress: undefined }, 400, "invalid_request", /^toAddress: /],
    ["an invalid address", { toAddress: "0x12" }, 400, "invalid_request", /^toAddress: /],
    ["a wrong checksum", { toAddress: WRONG_CHECKSUM }, 400, "invalid_request", /^toAddress: has a wrong EIP-55/],
    [
      "a wrong checksum in a list",
      two({ toAddress: somebody, amount: "1" }, { toAddress: WRONG_CHECKSUM, amount: "1" }),
      400,
      "invalid_request",
      /^recipients\.1\.toAddress: has a wrong EIP-55/,
    ],
    ["an address that is not a string", { toAddress: 7 }, 400, "invalid_request", /^toAddress: /],
    ["no amount", { amount: undefined }, 400, "invalid_request", /^amount: /],
    ["amount zero", { amount: "0" }, 400, "invalid_request", /^amount: /],
    ["a negative amount", { amount: "-1" }, 400, "invalid_request", /^amount: /],
    ["a decimal amount", { amount: "0.01" }, 400, "invalid_request", /^amount: /],
    ["an amount with a leading zero", { amount: "01" }, 400, "invalid_request", /^amount: /],
    ["an amount as a number", { amount: 10_000 }, 400, "invalid_request", /^amount: /],
    ["an amount of 2^96", { amount: (2n ** 96n).toString() }, 400, "invalid_request", /^amount: /],
    ["another currency", { currency: "EUR" }, 422, "currency_mismatch", /USDC/],
    ["a currency that is not a string", { currency: 1 }, 400, "invalid_request", /^currency: /],
    ["another network", { network: "polygon" }, 422, "unsupported_network", /base/],
    ["a network that is not a string", { network: null }, 400, "invalid_request", /^network: /],
    ["another asset", { assetAddress: somebody }, 422, "unsupported_asset", /USDC/],
    ["the other network's USDC", { assetAddress: NETWORKS["base-sepolia"].usdc }, 422, "unsupported_asset", /USDC/],
    ["an empty payoutId", { payoutId: "" }, 400, "invalid_request", /^payoutId: /],
    ["a payoutId with a blank", { payoutId: "a b" }, 400, "invalid_request", /^payoutId: /],
    ["a payoutId with a slash", { payoutId: "a/b" }, 400, "invalid_request", /^payoutId: /],
    ["a payoutId that a URL cannot name", { payoutId: ".." }, 400, "invalid_request", /^payoutId: /],
    ["a payoutId of 101 characters", { payoutId: "x".repeat(101) }, 400, "invalid_request", /^payoutId: /],
    ["a payoutId that is not a string", { payoutId: 7 }, 400, "invalid_request", /^payoutId: /],
    ["an empty bizId", { bizId: " " }, 400, "invalid_request", /^bizId: /],
    ["a bizId of 101 characters", { bizId: "x".repeat(101) }, 400, "invalid_request", /^bizId: /],
    ["a control character in the bizId", { bizId: "a\u0000" }, 400, "invalid_request", /^bizId: /],
    ["a long description", { description: "x".repeat(501) }, 400, "invalid_request", /^description: /],
    ["a description that turns the text around it", { description: "a\u202eb" }, 400, "invalid_request", /^desc/],
    ["half of a character in the description", { description: "\ud800" }, 400, "invalid_request", /^desc/],
    ["an invalid agentId", { agentId: "me" }, 400, "invalid_request", /^agentId: /],
    ["another agent", { agentId: "00000000-0000-4000-8000-000000000000" }, 403, "agent_mismatch", /agentId/],
    ["a mandate that is not a string", { mandateId: 7 }, 400, "invalid_request", /^mandateId: /],
    ["an unknown mandate", { mandateId: "mand_000000000000000000000000" }, 404, "mandate_not_found", /mandate/],
    ["an invalid list", { toAddress: undefined, recipients: "all" }, 400, "invalid_request", /^recipients: /],
    ["an empty list", { toAddress: undefined, recipients: [] }, 400, "invalid_request", /^recipients: /],
    [
      "101 recipients",
      {
        toAddress: undefined,
        recipients: Array.from({ length: 101 }, () => ({ toAddress: freshAddress(), amount: "1" })),
      },
      ...([400, "invalid_request", /^recipients: must have at most 100/] as const),
    ],
    [
      "recipients and toAddress",
      { recipients: [{ toAddress: another, amount: "10000" }] },
      400,
      "invalid_request",
      /either/,
    ],
    [
      "an invalid recipient",
      two({ toAddress: somebody, amount: "1" }, "me" as never),
      400,
      "invalid_request",
      /^recipients\.1: /,
    ],
    [
      "a bad address",
      two({ toAddress: somebody, amount: "1" }, { toAddress: "0x", amount: "1" }),
      400,
      "invalid_request",
      /^recipients\.1\.toAddress: /,
    ],
    [
      "the same address twice",
      two({ toAddress: somebody, amount: "1" }, { toAddress: somebody.toLowerCase(), amount: "1" }),
      400,
      "invalid_request",
      /^recipients\.1\.toAddress: .*recipients\.0/,
    ],
    [
      "no amount of one",
      two({ toAddress: somebody, amount: "1" }, { toAddress: another }),
      400,
      "invalid_request",
      /^recipients\.1\.amount: /,
    ],
    [
      "amount zero of one",
      two({ toAddress: somebody, amount: "1" }, { toAddress: another, amount: "0" }),
      400,
      "invalid_request",
      /^recipients\.1\.amount: /,
    ],
    [
      "amount and share",
      two({ toAddress: somebody, amount: "1", shareBps: 1 }, { toAddress: another, amount: "1" }),
      400,
      "invalid_request",
      /^recipients\.0: /,
    ],
    [
      "amounts and shares",
      two({ toAddress: somebody, amount: "1" }, { toAddress: another, shareBps: 10_000 }),
      400,
      "invalid_request",
      /^recipients\.0\.shareBps: /,
    ],
    [
      "another sum",
      { ...two({ toAddress: somebody, amount: "1" }, { toAddress: another, amount: "2" }), amount: "4" },
      400,
      "invalid_request",
      /^amount: .*3/,
    ],
    [
      "a sum over 2^96-1",
      two({ toAddress: somebody, amount: (2n ** 96n - 1n).toString() }, { toAddress: another, amount: "1" }),
      400,
      "invalid_request",
      /^recipients: .*2\^96/,
    ],
    [
      "shares of nothing said",
      two({ toAddress: somebody, shareBps: 5000 }, { toAddress: another, shareBps: 5000 }),
      400,
      "invalid_request",
      /^amount: /,
    ],
    [
      "a share of zero",
      { ...two({ toAddress: somebody, shareBps: 10_000 }, { toAddress: another, shareBps: 0 }), amount: "9" },
      400,
      "invalid_request",
      /^recipients\.1\.shareBps: /,
    ],
    [
      "a share of 10001",
      { ...two({ toAddress: somebody, shareBps: 10_001 }, { toAddress: another, shareBps: 1 }), amount: "9" },
      400,
      "invalid_request",
      /^recipients\.0\.shareBps: /,
    ],
    [
      "a broken share",
      { ...two({ toAddress: somebody, shareBps: 99.5 }, { toAddress: another, shareBps: 1 }), amount: "9" },
      400,
      "invalid_request",
      /^recipients\.0\.shareBps: /,
    ],
    [
      "shares that come to 9999",
      { ...two({ toAddress: somebody, shareBps: 9998 }, { toAddress: another, shareBps: 1 }), amount: "9" },
      400,
      "invalid_request",
      /^recipients: .*9999/,
    ],
    [
      "a share that comes to nothing",
      { ...two({ toAddress: somebody, shareBps: 9999 }, { toAddress: another, shareBps: 1 }), amount: "9" },
      400,
      "invalid_request",
      /^recipients\.1\.shareBps: rounds to zero/,
    ],
  ])("with %s is rejected and changes nothing", async (_, change, status, code, message) => {
    const booksBefore = await books();
    const response = await requestPayout(pair.agent, payout(change));
    expect([...outcome(response), body(response).message]).toEqual([status, code, expect.stringMatching(message)]);
    expect(await books()).toEqual(booksBefore);
  });

  test.each<[string, () => string | Promise<string>]>([
    ["the zero address", () => ZERO_ADDRESS],
    ["a burn address", () => "0x000000000000000000000000000000000000dEaD"],
    ["a precompile", () => "0x0000000000000000000000000000000000000004"],
    ["the newest precompile", () => "0x0000000000000000000000000000000000000100"],
    ["a contract of the chain", () => "0x4200000000000000000000000000000000000010"],
    ["wrapped ether", () => "0x4200000000000000000000000000000000000006"],
    ["USDC", () => NETWORKS.base.usdc],
    ["the other network's USDC", () => NETWORKS["base-sepolia"].usdc],
    ["another token", () => "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb"],
    ["Multicall3", () => MULTICALL3],
    ["the service's relayer", () => toAddress(privateKeyToAddress(service.opened.system.config.relayerKeys[0]))],
    ["the wallet that would pay", () => walletOf(pair.owner)],
  ])("cannot go to %s, alone or among other recipients", async (_, addressOf) => {
    const to = await addressOf();
    const booksBefore = await books();
    const alone = await requestPayout(pair.agent, payout({ toAddress: to }));
    expect([...outcome(alone), body(alone).field]).toEqual([400, "invalid_recipient", "toAddress"]);
    const recipients = [freshAddress(), to].map((toAddress) => ({ toAddress, amount: "1" }));
    const among = await requestPayout(pair.agent, { recipients });
    expect([...outcome(among), body(among).field, body(among).index]).toEqual([
      ...[400, "invalid_recipient", "recipients.1.toAddress", 1],
    ]);
    expect(await books()).toEqual(booksBefore);
  });
});

describe("a payout with an existing payoutId", () => {
  test("and the same body, also in another spelling, returns the existing payout with 200", async () => {
    const { agent } = pair;
    const to = freshAddress();
    const json = { payoutId: "same", toAddress: to, amount: "5" };
    const first = await requestPayout(agent, json);
    const booksBefore = await books();
    for (const change of [{}, { network: "eip155:8453" }, { toAddress: to.toLowerCase() }, { description: "" }]) {
      const repeatedResponse = await requestPayout(agent, { ...json, ...change });
      expect([repeatedResponse.status, repeatedResponse.body]).toEqual([200, first.body]);
    }
    expect(await books()).toEqual(booksBefore);
  });

  test.each<[string, object]>([
    ["amount", { amount: "6" }],
    ["recipient", { toAddress: toAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8") }],
    ["network", { network: "base-sepolia" }],
    ["description", { description: "another" }],
    ["bizId", { bizId: "another" }],
  ])("and another %s is rejected with 409", async (name, change) => {
    const { agent } = pair;
    const json = { payoutId: `other_${name}`, toAddress: freshAddress(), amount: "5" };
    expect((await requestPayout(agent, json)).status).toBe(201);
    const booksBefore = await books();
    expect(outcome(await requestPayout(agent, { ...json, ...change }))).toEqual([409, "payout_conflict"]);
    expect(await books()).toEqual(booksBefore);
  });

  test("by another agent is a separate payout", async () => {
    const json = { payoutId: "mine", toAddress: freshAddress(), amount: "5" };
    const otherAgent = await newAgent();
    expect([(await requestPayout(pair.agent, json)).status, (await requestPayout(otherAgent, json)).status]).toEqual([
      201, 201,
    ]);
  });

  test("sent twenty times at once is created once", async () => {
    const { agent, mandateId } = await ready();
    const to = freshAddress();
    const pending = { payoutId: "race", toAddress: to, amount: "7" };
    for (const json of [pending, { ...pending, payoutId: "race_paid", mandateId }]) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => requestPayout(agent, json)));
      expect(responses.map((response) => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
      expect(new Set(responses.map((response) => body(response).payoutRecordId)).size).toBe(1);
    }
    await ended(agent, "race_paid");
    expect(await service.world.balanceOf(to)).toBe(7n);
    expect(await mandateOf(agent, mandateId)).toMatchObject({ spentAmount: "7", pendingSpentAmount: "0" });
  });
});

describe("a payout's bizId", () => {
  test("sent twenty times at once is paid once", async () => {
    const { agent, mandateId } = await ready();
    const to = freshAddress();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        requestPayout(agent, { payoutId: `biz_${index}`, bizId: "invoice 1", toAddress: to, amount: "3", mandateId }),
      ),
    );
    const createdResponse = responses.filter((response) => response.status === 201);
    expect(createdResponse).toHaveLength(1);
    const [{ payoutId }] = createdResponse.map(body);
    for (const response of responses.filter((one) => one.status !== 201)) {
      expect([response.status, response.body]).toMatchObject([409, { code: "duplicate_biz_id", payoutId }]);
    }
    await ended(agent, payoutId);
    expect(await service.world.balanceOf(to)).toBe(3n);
  });

  test.each<[string, (agent: TestAgent, made: { payoutId: string; id: string }, parties: Parties) => Promise<unknown>]>(
    [
      ["denied", (_, { id }, { owner }) => decide(owner, id, "deny")],
      ["cancelled", (agent, { payoutId }) => cancel(agent, payoutId)],
      ["expired", (_, { id }) => expire(id)],
    ],
  )("can be used again once its payout is %s", async (_, end) => {
    const { agent } = pair;
    const bizId = `free_${freshAddress()}`;
    const created = await requestedPayout(agent, { bizId });
    expect(outcome(await requestPayout(agent, payout({ bizId })))).toEqual([409, "duplicate_biz_id"]);
    expect((await requestPayout(await newAgent(), payout({ bizId }))).status).toBe(201);
    await end(agent, created, pair);
    expect((await requestPayout(agent, payout({ bizId }))).status).toBe(201);
  });
});

describe("under a mandate", () => {
  test("a payout is authorized immediately, paid in one transaction, and its states can be followed", async () => {
    const { agent, mandateId, wallet } = await ready();
    const recipients = [3333, 3333, 3334].map((shareBps) => ({ toAddress: freshAddress(), shareBps }));
    const json = { payoutId: "split", amount: "100", recipients, mandateId, bizId: "b", description: "Shares" };
    const response = await requestPayout(agent, json);
    expect([response.status, response.body]).toMatchObject([
      201,
      { status: "authorized", approvalUrl: null, toAddress: null, mandateId, failureReason: null },
    ]);
    const done = await ended(agent, "split");
    expect(done).toMatchObject({
      status: "succeeded",
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      executedAt: expect.any(String),
      confirmations: expect.any(Number),
      legs: ["34", "33", "33"].map((amount, index) => ({
        index: index,
        amount,
        ...recipients[index],
        status: "settled",
        txHash: done.txHash,
      })),
    });
    const paid = await Promise.all(recipients.map(({ toAddress }) => service.world.balanceOf(toAddress)));
    expect(paid).toEqual([34n, 33n, 33n]);
    expect(await service.world.balanceOf(wallet)).toBe(999_900n);
    expect(await mandateOf(agent, mandateId)).toMatchObject({ spentAmount: "100", pendingSpentAmount: "0" });
    const repeatedResponse = await requestPayout(agent, json);
    expect([repeatedResponse.status, body(repeatedResponse).status]).toEqual([200, "succeeded"]);
    expect(await typesOf(done.payoutRecordId)).toEqual(["payout.approved", "payout.created", "payout.succeeded"]);
    expect(await awaitsOwner(done.payoutRecordId)).toBe(false);
  });

  test("a hundred recipients are paid", async () => {
    const { agent, mandateId } = await ready();
    const recipients = Array.from({ length: 100 }, () => ({ toAddress: freshAddress(), amount: "1" }));
    expect(outcome(await requestPayout(agent, { payoutId: "hundred", recipients, mandateId }))).toEqual([
      201,
      "authorized",
    ]);
    const done = await ended(agent, "hundred");
    expect([done.status, done.amount, new Set(done.legs.map((leg: Json) => leg.txHash)).size]).toEqual([
      ...["succeeded", "100", 1],
    ]);
  });

  test.each<[string, object, object, number, string]>([
    ["names no host", { hostAllowlist: [] }, {}, 201, "authorized"],
    ["names the host payout", { hostAllowlist: ["api.example.com", "payout"] }, {}, 201, "authorized"],
    ["names it in capitals", { hostAllowlist: ["PAYOUT"] }, {}, 201, "authorized"],
    ["names a port of it", { hostAllowlist: ["payout:443"] }, {}, 403, "host_not_allowed"],
    ["names other hosts", { hostAllowlist: ["api.example.com"] }, {}, 403, "host_not_allowed"],
    ["names a host that begins so", { hostAllowlist: ["payout.example.com"] }, {}, 403, "host_not_allowed"],
    ["has exactly the budget", { limitAmount: "10000" }, {}, 201, "authorized"],
    ["has one atomic unit less", { limitAmount: "9999" }, {}, 403, "mandate_insufficient_budget"],
    ["caps a payment at the sum", { maxAmountPerPayment: "10000" }, {}, 201, "authorized"],
    ["caps a payment below the sum", { maxAmountPerPayment: "9999" }, {}, 403, "mandate_payment_cap_exceeded"],
    ["is for the other network", { network: "base-sepolia" }, {}, 422, "unsupported_network"],
  ])("the rules of a mandate that %s apply to a payout", async (_, terms, change, status, code) => {
    const { agent, mandateId } = await ready(terms);
    const booksBefore = await books();
    const response = await requestPayout(agent, payout({ ...change, mandateId }));
    expect(outcome(response)).toEqual([status, code]);
    if (status === 201) return void (await ended(agent, body(response).payoutId));
    expect(await books()).toEqual(booksBefore);
    expect(await mandateOf(agent, mandateId)).toMatchObject({ pendingSpentAmount: "0", spentAmount: "0" });
  });

  test.each<[string, (mandateId: string, parties: Parties) => Promise<unknown>, string]>([
    ["paused", (id, { owner }) => owned(owner, id, "enabled", { isEnabled: false }), "mandate_disabled"],
    ["revoked", (id, { owner }) => owned(owner, id, "revoke"), "mandate_revoked"],
    [
      "expired",
      (id) => service.opened.sql`update mandates set valid_until = now() where id = ${id}`,
      "mandate_expired",
    ],
  ])("a payout is not paid by a mandate that is %s", async (_, end, code) => {
    const { agent, owner, mandateId } = await ready();
    await end(mandateId, { agent, owner });
    const booksBefore = await books();
    expect(outcome(await requestPayout(agent, payout({ mandateId })))).toEqual([403, code]);
    expect(await books()).toEqual(booksBefore);
  });

  test("another agent's mandate is treated as unknown", async () => {
    const { mandateId } = await ready();
    expect(outcome(await requestPayout(pair.agent, payout({ mandateId })))).toEqual([404, "mandate_not_found"]);
  });

  test("a payout above the balance, or above what pending amounts leave available, is rejected and reserves nothing", async () => {
    const { agent, mandateId } = await ready({}, 15_000n);
    await service.workers.stop();
    try {
      const tooMuch = await requestPayout(agent, payout({ amount: "15001", mandateId }));
      expect([tooMuch.status, tooMuch.body]).toMatchObject([
        409,
        { code: "insufficient_balance", balance: "15000", reserved: "0" },
      ]);
      expect((await requestPayout(agent, payout({ payoutId: "first", mandateId }))).status).toBe(201);
      const another = await requestPayout(agent, payout({ mandateId }));
      expect([another.status, another.body]).toMatchObject([409, { code: "insufficient_balance", reserved: "10000" }]);
      expect(await mandateOf(agent, mandateId)).toMatchObject({ pendingSpentAmount: "10000" });
    } finally {
      service.workers.start();
    }
    expect((await ended(agent, "first")).status).toBe("succeeded");
  });

  test("simultaneous payouts of an agent and its owner never use the same money", async () => {
    const { agent, owner, mandateId, wallet } = await ready({}, 15_000n);
    await service.workers.stop();
    try {
      const { sql } = service.opened;
      let asking: ReturnType<typeof requestPayout>[] = [];
      // Both reach the lock of the wallet's row before either continues.
      await sql.begin(async (tx) => {
        await tx`select id from wallets where address = ${wallet} for update`;
        asking = [requestPayout(agent, payout({ mandateId })), createPayout(owner, payout({ approve: true }))];
        await until(async () => {
          const waiting = await sql`
            select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          return waiting.length === 2;
        }, "both to wait");
      });
      const responses = await Promise.all(asking);
      expect(responses.map((response) => response.status).sort()).toEqual([201, 409]);
      const refusals = responses.filter(({ status }) => status === 409).map((response) => body(response).code);
      expect(new Set(refusals)).toEqual(new Set(["insufficient_balance"]));
    } finally {
      service.workers.start();
    }
    const { payouts } = body(await call("GET", "/api/wallet/payouts", { session: owner.session }));
    expect(payouts).toHaveLength(1);
    expect((await endedOwned(owner, payouts[0].payoutRecordId)).status).toBe("succeeded");
  });

  test("simultaneous payouts and payments never exceed the mandate's budget", async () => {
    const { agent, mandateId } = await ready({ limitAmount: "50000" });
    const responses = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) =>
        requestPayout(agent, payout({ payoutId: `budget_${index}`, mandateId })),
      ),
      ...Array.from({ length: 4 }, () => pay(agent, mandateId)),
    ]);
    const codes = responses.map((response) => [200, 201].includes(response.status) || body(response).code);
    expect(codes.filter((code) => code === true)).toHaveLength(5);
    expect(new Set(codes)).toEqual(new Set([true, "mandate_insufficient_budget"]));
    for (const response of responses.filter(({ status }) => status === 201))
      await ended(agent, body(response).payoutId);
  });

  test("a payout that the token refuses keeps its bizId and budget while it can still be paid", async () => {
    const { agent, mandateId, wallet } = await ready();
    const [good, blocked] = [freshAddress(), freshAddress()];
    await changeToken(service.world, "blacklist", [blocked]);
    const recipients = [good, blocked].map((toAddress) => ({ toAddress, amount: "10" }));
    const { bizId } = { bizId: "refused" };
    await requestPayout(agent, { payoutId: "refused", recipients, mandateId, bizId });
    const stillValidUntil = expect.stringMatching(/^2.*Z$/);
    await expect
      .poll(async () => body(await readPayout(agent, "refused")), { timeout: 20_000 })
      .toMatchObject({
        status: "processing",
        txHash: null,
        executedAt: null,
        legs: [
          { status: "pending", failureCode: "GROUP_FAILED", txHash: null, stillValidUntil },
          { status: "pending", failureCode: "ACCOUNT_BLOCKED", txHash: null, stillValidUntil },
        ],
      });
    const done = body(await readPayout(agent, "refused"));
    expect(await service.world.balanceOf(good)).toBe(0n);
    expect(await service.world.balanceOf(wallet)).toBe(1_000_000n);
    expect(await typesOf(done.payoutRecordId)).toEqual(["payout.approved", "payout.created"]);
    const retried = await requestPayout(agent, payout({ payoutId: "retried", mandateId, bizId }));
    expect([retried.status, body(retried).code]).toEqual([409, "duplicate_biz_id"]);
    expect(outcome(await requestPayout(agent, { payoutId: "refused", recipients, mandateId, bizId }))).toEqual([
      200,
      "processing",
    ]);
    expect(await mandateOf(agent, mandateId)).toMatchObject({ pendingSpentAmount: "20", spentAmount: "0" });
  });
});

describe("reading payouts", () => {
  test("without a JWT returns payoutId, status and transaction, and 404 if two payouts have that payoutId", async () => {
    const { agent } = pair;
    const { json, payoutId } = await requestedPayout(agent, { payoutId: "public_1" });
    const response = await call("GET", `/api/payouts/${payoutId}`);
    const said = { payoutId, status: "pending_authorization", txHash: null };
    expect([response.status, response.body]).toEqual([200, { ...said, payout: said }]);
    // A stranger who registers an agent must not be able to hide other people's payouts.
    await requestPayout(await newAgent(), { ...json, payoutId });
    expect((await call("GET", `/api/payouts/${payoutId}`)).body).toEqual({ ...said, payout: said });
    await requestPayout((await linkedPair()).agent, { ...json, payoutId });
    const several = await call("GET", `/api/payouts/${payoutId}`);
    expect([several.status, several.body]).toMatchObject([
      404,
      // Whoever polls without a JWT must not take it for one that was never made.
      { code: "payout_not_found", message: expect.stringMatching(/Several agents.*before you pay again/) },
    ]);
    expect(outcome(await readPayout(agent, payoutId))).toEqual([200, "pending_authorization"]);
    expect(outcome(await call("GET", "/api/payouts/nobody_has_this"))).toEqual([404, "payout_not_found"]);
  });

  test("with an invalid JWT is 401, not the public response", async () => {
    const { payoutId } = await requestedPayout(pair.agent);
    for (const authorization of ["Bearer nonsense", "Basic YTpi", ""]) {
      const response = await call("GET", `/api/payouts/${payoutId}`, { headers: { authorization } });
      expect(response.status).toBe(401);
    }
  });

  test("of another agent is 404, by either id", async () => {
    const { payoutId, id } = await requestedPayout(pair.agent, { payoutId: "theirs_1" });
    const { agent } = await linkedPair();
    for (const name of [payoutId, id]) {
      expect(outcome(await readPayout(agent, name))).toEqual([404, "payout_not_found"]);
      expect(outcome(await cancel(agent, name))).toEqual([404, "payout_not_found"]);
    }
  });

  test("lists them page by page, each once, and filters by status, network and bizId", async () => {
    const { agent, owner } = await linkedPair();
    const created = [];
    for (let index = 0; index < 7; index++)
      created.push(await requestedPayout(agent, { payoutId: `p${index}`, bizId: `b${index}` }));
    await decide(owner, created[0]?.id ?? "", "deny");
    await cancel(agent, "p1");
    await expire(created[2]?.id ?? "");
    await requestedPayout(agent, { payoutId: "sepolia", network: "base-sepolia" });
    const list = async (query: string) => body(await call("GET", `/api/payouts${query}`, { bearer: agent.jwt }));
    const names = async (query: string) => (await list(query)).payouts.map((item: Json) => item.payoutId);
    expect(await names("")).toEqual(["sepolia", "p6", "p5", "p4", "p3", "p2", "p1", "p0"]);
    const first = await list("?limit=5");
    expect(await names(`?limit=5&cursor=${first.nextCursor}`)).toEqual(["p2", "p1", "p0"]);
    expect((await list(`?limit=5&cursor=${first.nextCursor}`)).nextCursor).toBeNull();
    expect(await names("?status=denied")).toEqual(["p0"]);
    expect(await names("?status=cancelled")).toEqual(["p1"]);
    expect(await names("?status=expired")).toEqual(["p2"]);
    expect(await names("?status=pending_authorization&network=base")).toEqual(["p6", "p5", "p4", "p3"]);
    expect(await names("?status=succeeded")).toEqual([]);
    expect(await names("?network=eip155:84532")).toEqual(["sepolia"]);
    expect(await names("?bizId=b4")).toEqual(["p4"]);
    for (const query of [
      "?limit=0",
      "?limit=101",
      "?cursor=x",
      "?status=paid",
      "?network=polygon",
      "?limit=1&limit=2",
    ]) {
      const response = await call("GET", `/api/payouts${query}`, { bearer: agent.jwt });
      expect([query, ...outcome(response)]).toEqual([query, 400, "invalid_request"]);
    }
  });

  test("filtered by a returned status finds exactly the payouts with that status", async () => {
    const { agent, owner, mandateId } = await ready();
    const { jwt: bearer } = agent;
    await ended(agent, body(await requestPayout(agent, payout({ mandateId }))).payoutId);
    await decide(owner, (await requestedPayout(agent)).id, "deny");
    await cancel(agent, (await requestedPayout(agent)).payoutId);
    await expire((await requestedPayout(agent)).id);
    await requestedPayout(agent);
    await service.workers.stop();
    try {
      await requestPayout(agent, payout({ mandateId }));
      const begun = body(await requestPayout(agent, payout({ mandateId }))).payoutRecordId;
      await service.opened.sql`update settlements set attempts = 1 where subject = ${begun}`;
      const { payouts: all } = body(await call("GET", "/api/payouts", { bearer }));
      const statuses = [
        "pending_authorization",
        "authorized",
        "processing",
        "succeeded",
        "expired",
        "denied",
        "cancelled",
      ];
      expect(new Set(all.map((item: Json) => item.status))).toEqual(new Set(statuses));
      for (const status of [...statuses, "failed"]) {
        const { payouts } = body(await call("GET", `/api/payouts?status=${status}`, { bearer }));
        const listed = all.filter((item: Json) => item.status === status);
        expect([status, payouts]).toEqual([status, listed]);
      }
    } finally {
      service.workers.start();
    }
    const waiting = body(await call("GET", "/api/payouts?limit=2", { bearer })).payouts;
    for (const { payoutId } of waiting) expect((await ended(agent, payoutId)).status).toBe("succeeded");
  });
});

describe("cancelling a payout", () => {
  test("is possible for the agent until there is a decision, and can be repeated", async () => {
    const { agent, owner } = pair;
    const { payoutId, id } = await requestedPayout(agent);
    for (let press = 0; press < 2; press++) expect(outcome(await cancel(agent, payoutId))).toEqual([200, "cancelled"]);
    expect(outcome(await decide(owner, id, "approve"))).toEqual([410, "payout_cancelled"]);
    expect(await typesOf(id)).toEqual(["payout.cancelled", "payout.created"]);
    expect(body(await readPayout(agent, payoutId)).approvalUrl).toBeNull();
  });

  test("is rejected once the payout is denied, expired or approved", async () => {
    const { agent, owner } = await ready();
    const denied = await requestedPayout(agent);
    await decide(owner, denied.id, "deny");
    expect(outcome(await cancel(agent, denied.payoutId))).toEqual([410, "payout_denied"]);
    const late = await requestedPayout(agent);
    await expire(late.id);
    expect(outcome(await cancel(agent, late.payoutId))).toEqual([410, "payout_expired"]);
    const approved = await requestedPayout(agent);
    await decide(owner, approved.id, "approve");
    expect(outcome(await cancel(agent, approved.payoutId))).toEqual([409, "payout_approved"]);
    await ended(agent, approved.payoutId);
  });

  test("at the same time as an approval: exactly one of the two succeeds", async () => {
    const { agent, owner } = await ready();
    for (let round = 0; round < 6; round++) {
      const { payoutId, id } = await requestedPayout(agent);
      const [takenResponse, approved] = await Promise.all([cancel(agent, payoutId), decide(owner, id, "approve")]);
      if (takenResponse.status === 200) {
        expect(outcome(approved)).toEqual([410, "payout_cancelled"]);
      } else {
        expect([...outcome(takenResponse), approved.status]).toEqual([409, "payout_approved", 200]);
        expect((await ended(agent, payoutId)).status).toBe("succeeded");
      }
    }
  });
});

describe("deciding on a payout", () => {
  test("as approved, twenty times at once, pays it once", async () => {
    const { agent, owner } = await ready();
    const { json, payoutId, id } = await requestedPayout(agent);
    const responses = await Promise.all(Array.from({ length: 20 }, () => decide(owner, id, "approve")));
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
    expect((await ended(agent, payoutId)).status).toBe("succeeded");
    expect(body(await decide(owner, id, "approve")).payout.status).toBe("succeeded");
    expect(await service.world.balanceOf(json.toAddress as Address)).toBe(10_000n);
    expect(await typesOf(id)).toEqual(["payout.approved", "payout.created", "payout.succeeded"]);
  });

  test("as denied is final for the owner and for the agent", async () => {
    const { agent, owner } = pair;
    const { payoutId, id } = await requestedPayout(agent);
    for (let press = 0; press < 2; press++) {
      expect(body(await decide(owner, id, "deny")).payout.status).toBe("denied");
    }
    expect(outcome(await decide(owner, id, "approve"))).toEqual([410, "payout_denied"]);
    expect(outcome(await decide(owner, id, "cancel"))).toEqual([410, "payout_denied"]);
    expect(outcome(await readPayout(agent, payoutId))).toEqual([200, "denied"]);
    expect(await typesOf(id)).toEqual(["payout.created", "payout.denied"]);
  });

  test("is not possible once it has expired", async () => {
    const { agent, owner } = pair;
    const { payoutId, id } = await requestedPayout(agent);
    await expire(id);
    for (const verb of ["approve", "deny", "cancel"] as const) {
      expect(outcome(await decide(owner, id, verb))).toEqual([410, "payout_expired"]);
    }
    expect(outcome(await readPayout(agent, payoutId))).toEqual([200, "expired"]);
  });

  test("as approved above the balance leaves it waiting", async () => {
    const { agent, owner } = await linkedPair();
    const { payoutId, id } = await requestedPayout(agent);
    expect(outcome(await decide(owner, id, "approve"))).toEqual([409, "insufficient_balance"]);
    expect(outcome(await readPayout(agent, payoutId))).toEqual([200, "pending_authorization"]);
    await funded(service.world, owner);
    expect((await decide(owner, id, "approve")).status).toBe(200);
    expect((await ended(agent, payoutId)).status).toBe("succeeded");
  });

  test("of another owner is treated as unknown, with or without its token", async () => {
    const { id, token } = await requestedPayout(pair.agent);
    const stranger = await newOwner();
    for (const verb of ["approve", "deny", "cancel", "claim"] as const) {
      expect(outcome(await decide(stranger, id, verb))).toEqual([404, "payout_not_found"]);
    }
    const session = { session: stranger.session };
    expect(outcome(await call("GET", `/api/wallet/payouts/${id}`, session))).toEqual([404, "payout_not_found"]);
    expect(outcome(await decide(stranger, id, "claim", { token }))).toEqual([404, "agent_linked_elsewhere"]);
    expect(outcome(await decide(stranger, id, "deny", { token }))).toEqual([404, "agent_linked_elsewhere"]);
    expect(
      outcome(
        await readPayout(
          pair.agent,
          body(await call("GET", `/api/wallet/payouts/${id}`, { session: pair.owner.session })).payout.payoutId,
        ),
      ),
    ).toEqual([200, "pending_authorization"]);
  });

  test("as approved by the token alone links an agent without an owner", async () => {
    const agent = await newAgent();
    const owner = await newOwner();
    await funded(service.world, owner);
    const { payoutId, id, token } = await requestedPayout(agent);
    const other = await requestedPayout(await newAgent());
    expect(outcome(await decide(owner, id, "claim"))).toEqual([404, "payout_not_found"]);
    expect(outcome(await decide(owner, id, "claim", { token: other.token }))).toEqual([404, "payout_not_found"]);
    expect(outcome(await decide(owner, id, "approve"))).toEqual([404, "payout_not_found"]);
    expect(outcome(await decide(owner, id, "claim", { token }))).toEqual([200, "ok"]);
    expect((await decide(owner, id, "approve")).status).toBe(200);
    expect((await ended(agent, payoutId)).status).toBe("succeeded");
  });

  test("as denied does not link an agent without an owner", async () => {
    const agent = await newAgent();
    const owner = await newOwner();
    const { id, token, payoutId } = await requestedPayout(agent);
    expect(body(await decide(owner, id, "deny", { token })).payout.status).toBe("denied");
    expect(outcome(await readPayout(agent, payoutId))).toEqual([200, "denied"]);
    const [row] = await service.opened.sql`select owner_id from agents where id = ${agent.agentId}`;
    expect(row?.owner_id).toBeNull();
  });

  test("is rejected if its recipient is the paying wallet", async () => {
    const agent = await newAgent();
    const owner = await newOwner();
    const wallet = await funded(service.world, owner);
    const { id, token } = await requestedPayout(agent, { toAddress: wallet });
    await decide(owner, id, "claim", { token });
    expect(outcome(await decide(owner, id, "approve"))).toEqual([400, "invalid_recipient"]);
  });
});
