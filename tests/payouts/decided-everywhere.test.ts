import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAgent, type TestAgent } from "../support/actors";
import { call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { cancel, createPayout, decide, funded, outcome, payout, requestedPayout } from "../support/payouts";
import { shareService } from "../support/service";

/** Every decision about a payout that is decided already. */
const service = shareService();
let pair: Parties;
let stranger: TestAgent;

beforeAll(async () => {
  pair = await linkedPair();
  await funded(service.world, pair.owner, 5_000_000n);
});
beforeEach(async () => {
  stranger = await newAgent();
});

type Waiting = Awaited<ReturnType<typeof requestedPayout>> & { agent: TestAgent };

const expire = ({ id }: Waiting) =>
  service.opened.sql`update payouts set created_at = created_at - interval '2 days',
    expires_at = expires_at - interval '2 days' where id = ${id}`;
const by = (verb: "approve" | "deny" | "cancel" | "claim") => (of: Waiting) =>
  decide(pair.owner, of.id, verb, verb === "claim" || verb === "deny" ? { token: of.token } : {});
const byAgent = ({ agent, payoutId }: Waiting) => cancel(agent, payoutId);

const DECIDED: Record<string, (of: Waiting) => Promise<unknown>> = {
  payout_approved: by("approve"),
  payout_denied: by("deny"),
  payout_cancelled: byAgent,
  payout_expired: expire,
};

const CASES: [what: string, decided: string, action: (of: Waiting) => ReturnType<typeof decide>, status: number][] = [
  ["approved by its owner", "payout_denied", by("approve"), 410],
  ["approved by its owner", "payout_cancelled", by("approve"), 410],
  ["approved by its owner", "payout_expired", by("approve"), 410],
  ["denied", "payout_approved", by("deny"), 409],
  ["denied", "payout_cancelled", by("deny"), 410],
  ["denied", "payout_expired", by("deny"), 410],
  ["cancelled by its owner", "payout_approved", by("cancel"), 409],
  ["cancelled by its owner", "payout_denied", by("cancel"), 410],
  ["cancelled by its owner", "payout_expired", by("cancel"), 410],
  ["cancelled by its agent", "payout_approved", byAgent, 409],
  ["cancelled by its agent", "payout_denied", byAgent, 410],
  ["cancelled by its agent", "payout_expired", byAgent, 410],
];

test.each(CASES)("a payout cannot be %s after %s", async (_, decided, action, status) => {
  const of = { ...(await requestedPayout(pair.agent)), agent: pair.agent };
  await DECIDED[decided]?.(of);
  expect(outcome(await action(of))).toEqual([status, decided]);
});

test.each(["payout_denied", "payout_cancelled", "payout_expired"])(
  "the token of a payout links its agent to no owner after %s",
  async (decided) => {
    const of = { ...(await requestedPayout(stranger)), agent: stranger };
    await DECIDED[decided]?.(of);
    expect(outcome(await by("claim")(of))).toEqual([410, decided]);
  },
);

test.each([
  ["approve", by("approve")],
  ["deny", by("deny")],
  ["cancel", by("cancel")],
  ["cancel", byAgent],
] as const)("repeating a decision on a payout changes nothing: %s", async (_, action) => {
  const of = { ...(await requestedPayout(pair.agent)), agent: pair.agent };
  const [first, repeatedResponse] = [await action(of), await action(of)];
  expect([first.status, repeatedResponse.status]).toEqual([200, 200]);
});

describe("an owner's own payout that is created and approved at once", () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ["payout_cancelled", (id) => decide(pair.owner, id, "cancel")],
    ["payout_denied", (id) => decide(pair.owner, id, "deny")],
    ["payout_expired", (id) => expire({ id } as Waiting)],
  ])("cannot be approved after %s", async (code, decideIt) => {
    const json = payout({ payoutId: code });
    const createdResponse = await createPayout(pair.owner, { ...json, approve: false });
    await decideIt((createdResponse.body as { payout: { payoutRecordId: string } }).payout.payoutRecordId);
    expect(outcome(await createPayout(pair.owner, { ...json, approve: true }))).toEqual([410, code]);
  });

  test.each<[string, object, number]>([
    ["currency_mismatch", { currency: "EUR" }, 422],
    ["unsupported_asset", { assetAddress: `0x${"11".repeat(20)}` }, 422],
    ["unsupported_network", { network: "solana" }, 422],
  ])("is refused with %s, also as a row of a batch, whose other rows continue", async (code, change, status) => {
    expect(outcome(await createPayout(pair.owner, payout(change)))).toEqual([status, code]);
    const rows = [payout({ ...change, payoutId: `${code}-1` }), payout({ payoutId: `${code}-2` })];
    const file = await call("POST", "/api/wallet/payouts/batch", {
      session: pair.owner.session,
      json: { rows, approve: false },
    });
    expect(file).toMatchObject({
      status: 200,
      body: {
        results: [
          { status, code },
          { status: 201, code: null },
        ],
      },
    });
  });

  test("needs a bizId that no other payout has", async () => {
    const bizId = "invoice-7";
    expect((await createPayout(pair.owner, payout({ bizId }))).status).toBe(201);
    expect(outcome(await createPayout(pair.owner, payout({ bizId })))).toEqual([409, "duplicate_biz_id"]);
  });
});
