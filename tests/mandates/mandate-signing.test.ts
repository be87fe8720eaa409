import { hashTypedData } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import type { MandateId } from "@/lib/core/ids";
import * as lists from "@/lib/mandates/lists";
import * as mandates from "@/lib/mandates/service";
import type { Actor, Ctx, Owner } from "@/lib/platform/context";
import { NETWORKS } from "@/lib/x402/networks";
import { newAgent, newOwner, postSignIn, sessionIn, siweMessage, type TestOwner } from "../support/actors";
import { deployWallet } from "../support/contract-accounts";
import { call } from "../support/http";
import {
  type Json,
  linkedPair,
  owned,
  type Parties,
  pay,
  proposed,
  signatureOver,
  signedMandate,
} from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;

beforeAll(async () => {
  pair = await linkedPair();
});

const post = (owner: TestOwner, id: string, verb: string, json: object = {}) =>
  call("POST", `/api/mandates/${id}/${verb}`, { session: owner.session, json });
const patch = (owner: TestOwner, id: string, json: object) =>
  call("PATCH", `/api/mandates/${id}`, { session: owner.session, json });
const rowOf = async (id: string): Promise<Json> =>
  (await service.opened.sql`select * from mandates where id = ${id}`)[0];
const eventsOf = async (id: string) =>
  (await service.opened.sql`select type from events where subject = ${id} order by created_at, id`).map(
    (event): string => event.type,
  );
const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as Json).code ?? "ok"];
const lapse = (id: string) =>
  service.opened.sql`update mandates set created_at = created_at - interval '24 hours' where id = ${id}`;
/** Whether `attempt` left the mandate's row unchanged. */
async function leavesUnchanged(id: string, attempt: () => Promise<unknown>) {
  const rowBefore = await rowOf(id);
  await attempt();
  expect(await rowOf(id)).toEqual(rowBefore);
}

describe("claiming a draft mandate", () => {
  test("links its agent to the owner, who can then sign the draft, in one visit", async () => {
    const [owner, agent] = [await newOwner(), await newAgent()];
    const { mandateId, token } = await proposed(agent, { maxAmountPerPayment: "5000" });
    const mandate = await owned(owner, mandateId, "claim", { token });
    expect(mandate).toMatchObject({ status: "pending_signature", isEnabled: false, maxAmountPerPayment: "5000" });
    expect((await proposed(agent)).agentStatus).toBe("ready");
    expect(await eventsOf(mandateId)).toEqual(["mandate.created", "mandate.claimed"]);
    const signed = await owned(owner, mandateId, "signature", { signature: await signatureOver(mandateId, owner) });
    expect(signed).toMatchObject({ status: "signed", isEnabled: true });
  });

  test("a second time changes nothing", async () => {
    const [owner, agent] = [await newOwner(), await newAgent()];
    const { mandateId, token } = await proposed(agent);
    const first = await owned(owner, mandateId, "claim", { token });
    expect(await owned(owner, mandateId, "claim", { token })).toEqual(first);
  });

  test("without its token is 404, as if it did not exist", async () => {
    const [owner, agent] = [await newOwner(), await newAgent()];
    const { mandateId } = await proposed(agent);
    await leavesUnchanged(mandateId, async () => {
      for (const json of [{}, { token: "" }, { token: "0".repeat(24) }]) {
        expect(outcome(await post(owner, mandateId, "claim", json))).toEqual([404, "mandate_not_found"]);
      }
      expect(outcome(await post(owner, mandateId, "claim", { token: 5 }))).toEqual([400, "invalid_request"]);
    });
    expect((await proposed(agent)).agentStatus).toBe("needs_wallet_authorization");
  });

  test("is rejected even with the token if the agent has another owner", async () => {
    const [first, second, agent] = [await newOwner(), await newOwner(), await newAgent()];
    const drafts = [await proposed(agent), await proposed(agent)] as const;
    await owned(first, drafts[0].mandateId, "claim", { token: drafts[0].token });
    for (const { mandateId, token } of drafts) {
      expect(outcome(await post(second, mandateId, "claim", { token }))[1]).toBe("agent_linked_elsewhere");
    }
    expect((await rowOf(drafts[1].mandateId)).state).toBe("draft");
  });

  test("requires no token for a further draft of one's own agent", async () => {
    const [owner, agent] = [await newOwner(), await newAgent()];
    const [one, two] = [await proposed(agent), await proposed(agent)];
    await owned(owner, one.mandateId, "claim", { token: one.token });
    expect(await owned(owner, two.mandateId, "claim")).toMatchObject({ status: "pending_signature" });
  });

  test("by two people at the same time gives the agent to exactly one of them", async () => {
    const agent = await newAgent();
    const people = [await newOwner(), await newOwner(), await newOwner()];
    const { mandateId, token } = await proposed(agent);
    const responses = await Promise.all(people.map((owner) => post(owner, mandateId, "claim", { token })));
    expect(responses.map((a) => a.status).filter((status) => status === 200)).toHaveLength(1);
    expect(responses.filter((a) => (a.body as Json).code === "agent_linked_elsewhere")).toHaveLength(2);
    expect(await eventsOf(agent.agentId)).toEqual(["agent.registered", "agent.linked"]);
  });

  test("is rejected once the draft has lapsed", async () => {
    const [owner, agent] = [await newOwner(), await newAgent()];
    const { mandateId, token } = await proposed(agent);
    await lapse(mandateId);
    expect(outcome(await post(owner, mandateId, "claim", { token }))).toEqual([404, "mandate_not_found"]);
    expect((await eventsOf(agent.agentId)).includes("agent.linked")).toBe(false);
  });

  test("requires a session and the service's own Origin", async () => {
    const { mandateId, token } = await proposed(await newAgent());
    const path = `/api/mandates/${mandateId}/claim`;
    expect(outcome(await call("POST", path, { json: { token } }))).toEqual([401, "session_required"]);
    const foreign = { session: pair.owner.session, headers: { origin: "https://evil.example" }, json: { token } };
    expect(outcome(await call("POST", path, foreign))).toEqual([403, "origin_not_allowed"]);
    expect((await rowOf(mandateId)).state).toBe("draft");
  });
});

describe("the typed data of a mandate", () => {
  test("is exactly the mandate's terms, as EIP-712 data for the chain that it pays on", async () => {
    const terms = { hostAllowlist: ["api.example.com"], maxAmountPerPayment: "7", category: "data" };
    const { mandateId } = await proposed(pair.agent, terms);
    const { body } = await call("GET", `/api/mandates/${mandateId}/typed-data`, { session: pair.owner.session });
    const row = await rowOf(mandateId);
    const [wallet] = await service.opened.sql`select address from wallets where id = ${row.wallet_id}`;
    expect(body).toEqual({
      domain: { name: "Agent Spending Mandate", version: "1", chainId: 8453 },
      types: {
        EIP712Domain: [
          { name: "name", type: "string" },
          { name: "version", type: "string" },
          { name: "chainId", type: "uint256" },
        ],
        SpendingMandate: [
          { name: "mandateId", type: "string" },
          { name: "agentId", type: "string" },
          { name: "owner", type: "address" },
          { name: "wallet", type: "address" },
          { name: "asset", type: "address" },
          { name: "limitAmount", type: "uint256" },
          { name: "maxAmountPerPayment", type: "uint256" },
          { name: "validFrom", type: "uint64" },
          { name: "validUntil", type: "uint64" },
          { name: "hostAllowlist", type: "string[]" },
          { name: "category", type: "string" },
          { name: "naturalLanguage", type: "string" },
        ],
      },
      primaryType: "SpendingMandate",
      message: {
        mandateId,
        agentId: pair.agent.agentId,
        owner: pair.owner.address,
        wallet: wallet?.address,
        asset: NETWORKS.base.usdc,
        limitAmount: "1000000",
        maxAmountPerPayment: "7",
        validFrom: String(new Date(row.valid_from).getTime() / 1000),
        validUntil: String(new Date(row.valid_until).getTime() / 1000),
        hostAllowlist: ["api.example.com"],
        category: "data",
        naturalLanguage: "Pay for weather data",
      },
    });
  });

  test("is returned only with the token or to the owner", async () => {
    const { mandateId, token } = await proposed(pair.agent);
    const path = `/api/mandates/${mandateId}/typed-data`;
    const stranger = await newOwner();
    expect((await call("GET", `${path}?token=${token}`)).status).toBe(200);
    expect(outcome(await call("GET", path))).toEqual([404, "mandate_not_found"]);
    expect(outcome(await call("GET", `${path}?token=${"0".repeat(24)}`))).toEqual([404, "mandate_not_found"]);
    expect(outcome(await call("GET", path, { session: stranger.session }))).toEqual([404, "mandate_not_found"]);
  });

  test("is not available before the owner is known", async () => {
    const { mandateId, token } = await proposed(await newAgent());
    const res = await call("GET", `/api/mandates/${mandateId}/typed-data?token=${token}`);
    expect(outcome(res)).toEqual([409, "mandate_not_claimed"]);
  });
});

describe("signing a mandate", () => {
  test("stores the signed digest and makes the mandate usable", async () => {
    const { mandateId } = await proposed(pair.agent);
    const { body } = await call("GET", `/api/mandates/${mandateId}/typed-data`, { session: pair.owner.session });
    const signature = await signatureOver(mandateId, pair.owner);
    const mandate = await owned(pair.owner, mandateId, "signature", { signature });
    const mandateHash = hashTypedData(body as Parameters<typeof hashTypedData>[0]);
    expect(mandate).toMatchObject({ status: "signed", isEnabled: true, mandateHash, signedAt: expect.any(String) });
    expect(await rowOf(mandateId)).toMatchObject({ mandate_hash: mandateHash, signature, revision: 2 });
    expect(await eventsOf(mandateId)).toEqual(["mandate.created", "mandate.signed"]);
    expect((await pay(pair.agent, mandateId)).status).toBe(200);
  });

  test("again with the same signature returns the same response", async () => {
    const { mandateId } = await proposed(pair.agent);
    const signature = await signatureOver(mandateId, pair.owner);
    const both = await Promise.all([0, 1].map(() => owned(pair.owner, mandateId, "signature", { signature })));
    expect(both[1]).toEqual(both[0]);
    expect(await eventsOf(mandateId)).toEqual(["mandate.created", "mandate.signed"]);
  });

  test("with yParity instead of 27 or 28 is accepted", async () => {
    const { mandateId } = await proposed(pair.agent);
    const signature = await signatureOver(mandateId, pair.owner);
    const yParity = signature.endsWith("1b") ? "00" : "01";
    await owned(pair.owner, mandateId, "signature", { signature: `${signature.slice(0, -2)}${yParity}` });
  });

  test.each<[string, (id: string) => Promise<string>]>([
    [
      "of another account",
      (id) => signatureOver(id, { ...pair.owner, account: privateKeyToAccount(generatePrivateKey()) }),
    ],
    ["over another mandate", async () => signatureOver((await proposed(pair.agent)).mandateId, pair.owner)],
    ["that is random", async () => `0x${"ab".repeat(65)}`],
    ["that is short", async () => "0x01"],
  ])("with a signature %s is rejected", async (_name, make) => {
    const { mandateId } = await proposed(pair.agent);
    await leavesUnchanged(mandateId, async () => {
      const signature = await make(mandateId);
      expect(outcome(await post(pair.owner, mandateId, "signature", { signature }))).toEqual([
        422,
        "signature_invalid",
      ]);
    });
  });

  test.each([undefined, null, 5, "", "0x", "0xabc", "zz", `0x${"ab".repeat(4097)}`])(
    "with %s as signature is a bad request",
    async (signature) => {
      const { mandateId } = await proposed(pair.agent);
      await leavesUnchanged(mandateId, async () => {
        expect(outcome(await post(pair.owner, mandateId, "signature", { signature }))).toEqual([
          400,
          "invalid_request",
        ]);
      });
    },
  );

  test("is rejected if the mandate was narrowed after the owner loaded it", async () => {
    const { mandateId } = await proposed(pair.agent);
    const signature = await signatureOver(mandateId, pair.owner);
    expect((await patch(pair.owner, mandateId, { limitAmount: "999999" })).status).toBe(200);
    expect(outcome(await post(pair.owner, mandateId, "signature", { signature }))).toEqual([422, "signature_invalid"]);
  });

  test("is rejected after 24 hours, and the mandate is expired", async () => {
    const { mandateId } = await proposed(pair.agent);
    const signature = await signatureOver(mandateId, pair.owner);
    await lapse(mandateId);
    expect(outcome(await post(pair.owner, mandateId, "signature", { signature }))).toEqual([403, "mandate_expired"]);
    const { body } = await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: pair.agent.jwt });
    expect((body as Json).mandate.status).toBe("expired");
  });

  test("of another owner is 404, as if it did not exist", async () => {
    const stranger = await newOwner();
    const { mandateId } = await proposed(pair.agent);
    const signature = await signatureOver(mandateId, pair.owner);
    await leavesUnchanged(mandateId, async () => {
      expect(outcome(await post(stranger, mandateId, "signature", { signature }))).toEqual([404, "mandate_not_found"]);
      for (const verb of ["reject", "revoke"]) {
        expect(outcome(await post(stranger, mandateId, verb))).toEqual([404, "mandate_not_found"]);
      }
      expect(outcome(await post(stranger, mandateId, "enabled", { isEnabled: true }))).toEqual([
        404,
        "mandate_not_found",
      ]);
      expect(outcome(await patch(stranger, mandateId, { limitAmount: "1" }))).toEqual([404, "mandate_not_found"]);
    });
  });

  test("with a contract account follows the contract's rules (ERC-1271)", async () => {
    const holder = privateKeyToAccount(generatePrivateKey());
    const wallet = await deployWallet(service.world, holder.address);
    const message = await siweMessage(wallet);
    const session = sessionIn(await postSignIn(message, await holder.signMessage({ message }))) ?? "";
    const owner: TestOwner = { account: holder, address: wallet, privateKey: "0x", session };
    const { mandateId, token } = await proposed(await newAgent());
    await owned(owner, mandateId, "claim", { token });
    const wrong = await signatureOver(mandateId, { session, account: privateKeyToAccount(generatePrivateKey()) });
    expect(outcome(await post(owner, mandateId, "signature", { signature: wrong }))).toEqual([
      422,
      "signature_invalid",
    ]);
    const signature = await signatureOver(mandateId, owner);
    expect(await owned(owner, mandateId, "signature", { signature })).toMatchObject({ status: "signed" });
  });
});

describe("narrowing a mandate", () => {
  test("changes what the owner signs and what the agent may pay", async () => {
    const { mandateId } = await proposed(pair.agent);
    const validUntil = new Date(Math.floor(Date.now() / 1000) * 1000 + 600_000);
    const change = {
      limitAmount: "20000",
      validUntil: validUntil.toISOString(),
      hostAllowlist: ["API.example.com"],
      maxAmountPerPayment: "10000",
    };
    const { status, body } = await patch(pair.owner, mandateId, change);
    expect({ status, mandate: (body as Json).mandate }).toMatchObject({
      status: 200,
      mandate: { ...change, hostAllowlist: ["api.example.com"], remainingAmount: "20000" },
    });
    expect(await eventsOf(mandateId)).toEqual(["mandate.created", "mandate.narrowed"]);
    await owned(pair.owner, mandateId, "signature", { signature: await signatureOver(mandateId, pair.owner) });
    expect(outcome(await pay(pair.agent, mandateId, { amount: "10001" }))).toEqual([
      403,
      "mandate_payment_cap_exceeded",
    ]);
    expect(outcome(await pay(pair.agent, mandateId, { resource: "https://b.example/" }))).toEqual([
      403,
      "host_not_allowed",
    ]);
    expect(outcome(await pay(pair.agent, mandateId))).toEqual([200, "ok"]);
  });

  test("can be undone until the signature, up to the requested terms", async () => {
    const asked = { limitAmount: "1000", maxAmountPerPayment: "500", hostAllowlist: ["a.example", "b.example"] };
    const { mandateId } = await proposed(pair.agent, asked);
    const first = { limitAmount: "100", hostAllowlist: ["a.example"], maxAmountPerMonth: "50", maxAmountPerDay: "40" };
    const lowered = ((await patch(pair.owner, mandateId, first)).body as Json).mandate;
    expect(lowered).toMatchObject({ ...first, maxAmountPerPayment: "40" });
    expect(lowered.asked).toMatchObject({ ...asked, maxAmountPerDay: null, maxAmountPerMonth: null });
    expect(outcome(await patch(pair.owner, mandateId, { limitAmount: "1001" }))).toEqual([422, "limit_not_narrower"]);
    const tooFar = { maxAmountPerMonth: null, maxAmountPerDay: null, limitAmount: "1000", maxAmountPerPayment: "501" };
    expect(outcome(await patch(pair.owner, mandateId, tooFar))).toEqual([422, "cap_not_narrower"]);
    const back = { ...asked, maxAmountPerMonth: null, maxAmountPerDay: null, validUntil: lowered.asked.validUntil };
    const { body } = await patch(pair.owner, mandateId, back);
    expect((body as Json).mandate).toMatchObject(back);
    const signature = await signatureOver(mandateId, pair.owner);
    expect(await owned(pair.owner, mandateId, "signature", { signature })).toMatchObject({ ...back, asked: null });
    expect((await patch(pair.owner, mandateId, { limitAmount: "999" })).status).toBe(409);
  });

  test("to a validity with fractions of a second stores whole seconds, as signed", async () => {
    const { mandateId } = await proposed(pair.agent);
    const { body } = await patch(pair.owner, mandateId, {
      validUntil: new Date(Date.now() + 60_000).toISOString().replace(/\.\d+/, ".789"),
    });
    expect((body as Json).mandate.validUntil).toMatch(/\.000Z$/);
  });

  const far = "2999-01-01T00:00:00.000Z";
  test.each([
    [{ limitAmount: "1000001" }, 422, "limit_not_narrower"],
    [{ validUntil: far }, 422, "validity_not_narrower"],
    [{ validUntil: "2020-01-01T00:00:00.000Z" }, 422, "validity_in_the_past"],
    [{ hostAllowlist: ["c.example"] }, 422, "hosts_not_narrower"],
    [{ hostAllowlist: ["a.example", "c.example"] }, 422, "hosts_not_narrower"],
    [{ hostAllowlist: [] }, 422, "hosts_not_narrower"],
    [{ hostAllowlist: null }, 422, "hosts_not_narrower"],
    [{ maxAmountPerPayment: "501" }, 422, "cap_not_narrower"],
    [{ maxAmountPerPayment: null }, 422, "cap_not_narrower"],
    [{ limitAmount: "10", maxAmountPerPayment: "11" }, 422, "cap_exceeds_limit"],
    [{ limitAmount: "10", hostAllowlist: ["c.example"] }, 422, "hosts_not_narrower"],
    [{}, 400, "invalid_request"],
    [{ limitAmount: null }, 400, "invalid_request"],
    [{ limitAmount: "0" }, 400, "invalid_request"],
    [{ limitAmount: 5 }, 400, "invalid_request"],
    [{ validUntil: "tomorrow" }, 400, "invalid_request"],
    [{ validUntil: 1_900_000_000 }, 400, "invalid_request"],
    [{ hostAllowlist: ["https://a.example"] }, 400, "invalid_request"],
    [{ maxAmountPerPayment: "0" }, 400, "invalid_request"],
  ])("by %o changes nothing", async (change, status, code) => {
    const { mandateId } = await proposed(pair.agent, {
      hostAllowlist: ["a.example", "b.example"],
      maxAmountPerPayment: "500",
    });
    await leavesUnchanged(mandateId, async () => {
      expect(outcome(await patch(pair.owner, mandateId, change))).toEqual([status, code]);
    });
  });

  test("is rejected once the mandate is signed", async () => {
    const { mandateId } = await signedMandate({}, pair);
    await leavesUnchanged(mandateId, async () => {
      expect(outcome(await patch(pair.owner, mandateId, { limitAmount: "1" }))).toEqual([409, "mandate_not_pending"]);
    });
  });
});

describe("the owner's other actions on a mandate", () => {
  test("a rejected mandate can no longer be signed", async () => {
    const { mandateId } = await proposed(pair.agent);
    const signature = await signatureOver(mandateId, pair.owner);
    expect(await owned(pair.owner, mandateId, "reject")).toMatchObject({ status: "rejected", isEnabled: false });
    expect(await owned(pair.owner, mandateId, "reject")).toMatchObject({ status: "rejected" });
    expect(outcome(await post(pair.owner, mandateId, "signature", { signature }))).toEqual([
      409,
      "mandate_not_pending",
    ]);
    expect(outcome(await pay(pair.agent, mandateId))).toEqual([403, "mandate_not_signed"]);
    expect(await eventsOf(mandateId)).toEqual(["mandate.created", "mandate.rejected"]);
  });

  test("a draft can be rejected with its token, and its agent stays without an owner", async () => {
    const agent = await newAgent();
    const { mandateId, token } = await proposed(agent);
    expect(outcome(await post(pair.owner, mandateId, "reject"))).toEqual([404, "mandate_not_found"]);
    expect(await owned(pair.owner, mandateId, "reject", { token })).toMatchObject({ status: "rejected" });
    expect((await proposed(agent)).agentStatus).toBe("needs_wallet_authorization");
  });

  test("a paused mandate rejects payments until it is resumed", async () => {
    const { mandateId } = await signedMandate({}, pair);
    expect(await owned(pair.owner, mandateId, "enabled", { isEnabled: false })).toMatchObject({
      status: "signed",
      isEnabled: false,
    });
    await owned(pair.owner, mandateId, "enabled", { isEnabled: false });
    expect(outcome(await pay(pair.agent, mandateId))).toEqual([403, "mandate_disabled"]);
    await owned(pair.owner, mandateId, "enabled", { isEnabled: true });
    expect(outcome(await pay(pair.agent, mandateId))).toEqual([200, "ok"]);
    expect(await eventsOf(mandateId)).toEqual([
      "mandate.created",
      "mandate.signed",
      "mandate.disabled",
      "mandate.enabled",
    ]);
  });

  test("a revoked mandate stays revoked", async () => {
    const { mandateId } = await signedMandate({}, pair);
    expect(await owned(pair.owner, mandateId, "revoke")).toMatchObject({ status: "revoked", isEnabled: false });
    expect(await owned(pair.owner, mandateId, "revoke")).toMatchObject({ status: "revoked" });
    expect(outcome(await post(pair.owner, mandateId, "enabled", { isEnabled: true }))).toEqual([
      409,
      "mandate_not_active",
    ]);
    expect(outcome(await pay(pair.agent, mandateId))).toEqual([403, "mandate_revoked"]);
  });

  test.each([{}, { isEnabled: "true" }, { isEnabled: 1 }, { isEnabled: null }])(
    "the body %o for pausing is a bad request",
    async (json) => {
      const { mandateId } = await signedMandate({}, pair);
      await leavesUnchanged(mandateId, async () => {
        expect(outcome(await post(pair.owner, mandateId, "enabled", json))).toEqual([400, "invalid_request"]);
      });
    },
  );

  test("signing and revoking at the same time always ends as revoked", async () => {
    for (let round = 0; round < 10; round++) {
      const { mandateId } = await proposed(pair.agent);
      const signature = await signatureOver(mandateId, pair.owner);
      const [signing, revoking] = await Promise.all([
        post(pair.owner, mandateId, "signature", { signature }),
        post(pair.owner, mandateId, "revoke"),
      ]);
      expect(revoking.status).toBe(200);
      expect([200, 409]).toContain(signing.status);
      expect((await rowOf(mandateId)).state).toBe("revoked");
      expect(outcome(await pay(pair.agent, mandateId))).toEqual([403, "mandate_revoked"]);
    }
  });
});

describe("the pages of a mandate", () => {
  const as = <A extends Actor>(actor: A): Ctx<A> => ({ ...service.opened.system, requestId: "test", actor });
  const actorOf = async (owner: TestOwner): Promise<Ctx<Owner>> => {
    const [row] = await service.opened.sql`select id from owners where address = ${owner.address}`;
    if (!row) throw new Error("not an owner");
    return as({ type: "owner", ownerId: row.id, address: owner.address });
  };

  test("show each visitor the next step on the signing page, with no call to a chain", async () => {
    const [owner, stranger, agent] = [await newOwner(), await newOwner(), await newAgent("Weather bot")];
    const { mandateId, token } = await proposed(agent);
    const id = mandateId as MandateId;
    const anonymous = as({ type: "anonymous" });
    const see = async (ctx: Ctx, given?: string) => {
      const view = await mandates.forSigning(ctx, id, given);
      return [view.agentName, view.status, view.isTokenValid, view.isLinkedElsewhere, view.nextStep];
    };
    await expect(mandates.forSigning(anonymous, id, undefined)).rejects.toMatchObject({ code: "mandate_not_found" });
    expect(await see(anonymous, token)).toEqual(["Weather bot", "draft", true, false, "sign_in"]);
    expect(await see(await actorOf(owner), token)).toEqual(["Weather bot", "draft", true, false, "claim"]);
    await owned(owner, mandateId, "claim", { token });
    expect(await see(await actorOf(owner))).toEqual(["Weather bot", "pending_signature", false, false, "sign"]);
    expect(await see(await actorOf(stranger), token)).toEqual([
      "Weather bot",
      "pending_signature",
      true,
      true,
      "linked_elsewhere",
    ]);
    await expect(mandates.forSigning(await actorOf(stranger), id, undefined)).rejects.toMatchObject({
      code: "mandate_not_found",
    });
    await owned(owner, mandateId, "signature", { signature: await signatureOver(mandateId, owner) });
    expect(await see(await actorOf(owner), token)).toEqual(["Weather bot", "signed", true, false, "nothing"]);
  });

  test("list an owner's mandates with the agents' names, and no others", async () => {
    const { owner, mandateId } = await signedMandate();
    const ctx = await actorOf(owner);
    const { rows: list } = await lists.listForOwner(ctx, {}, { limit: 10 });
    expect(list.map((m) => [m.mandateId, m.status, m.agentName])).toContainEqual([mandateId, "signed", "Test agent"]);
    expect(list).toHaveLength(2);
    expect(await mandates.getForOwner(ctx, mandateId as MandateId)).toMatchObject({
      mandateId,
      ownerAddress: owner.address,
    });
    const stranger = await actorOf(pair.owner);
    await expect(mandates.getForOwner(stranger, mandateId as MandateId)).rejects.toMatchObject({
      code: "mandate_not_found",
    });
  });
});
