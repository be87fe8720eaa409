import { beforeAll, describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { AgentId, OwnerId } from "@/lib/core/ids";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { signedBy } from "../support/confirmations";
import { BASE_URL, call } from "../support/http";
import { remedy } from "../support/refused";
import { shareService } from "../support/service";
import { freshAddress } from "../support/system";

const service = shareService();

let agents: typeof import("@/lib/agents/service");
let identity: typeof import("@/lib/identity/service");
let owner: TestOwner;
let stranger: TestOwner;

beforeAll(async () => {
  agents = await import("@/lib/agents/service");
  identity = await import("@/lib/identity/service");
  owner = await newOwner();
  stranger = await newOwner();
});

const ownerIdOf = async ({ address }: TestOwner): Promise<OwnerId> => {
  const [row] = await service.opened.sql`select id from owners where address = ${address}`;
  return row?.id;
};

/** Links the agent as claiming a mandate does. */
async function link(agent: TestAgent, to: TestOwner): Promise<void> {
  const ownerId = await ownerIdOf(to);
  await service.opened.system.db.transaction((tx) =>
    agents.linkAgent(tx, agent.agentId as AgentId, ownerId, new Date()),
  );
}

async function linkedAgent(name: string, to = owner): Promise<TestAgent> {
  const agent = await newAgent(name);
  await link(agent, to);
  return agent;
}

const rowOf = async ({ agentId }: TestAgent) =>
  (await service.opened.sql`select * from agents where id = ${agentId}`)[0];
const walletOf = async (owner: TestOwner): Promise<string> => {
  const { body } = await call("GET", "/api/wallet", { session: owner.session });
  return (body as { wallets: { network: string; address: string }[] }).wallets[0]?.address ?? "";
};
const receiverOf = ({ agentId }: TestAgent) => agents.receiverOf(service.opened.system, agentId as AgentId, "base");
const upl = ({ agentId }: TestAgent) => call("GET", `/unifypaymentlink/agentid/${agentId}?amount=1&asset=usdc`);

describe("GET /api/agents", () => {
  test("lists only the owner's own agents, without deleted ones, oldest first", async () => {
    const person = await newOwner();
    const [first, formerAgent, second] = [
      await linkedAgent("first", person),
      await linkedAgent("gone", person),
      await linkedAgent("second", person),
    ];
    await linkedAgent("foreign", stranger);
    await newAgent("unlinked");
    await call("DELETE", `/api/agents/${formerAgent.agentId}`, { session: person.session });

    const item = async (agent: TestAgent, name: string) => ({
      agentId: agent.agentId,
      name,
      clientInfo: "tests",
      createdAt: expect.stringMatching(/Z$/),
      linkedAt: expect.stringMatching(/Z$/),
      receivingAddress: null,
      effectiveReceivingAddress: await walletOf(person),
      uplUrl: `${BASE_URL}/unifypaymentlink/agentid/${agent.agentId}`,
      paymentScan: "off",
      isBound: false,
      hasSold: false,
    });
    const { status, body } = await call("GET", "/api/agents", { session: person.session });
    expect([status, body]).toEqual([
      200,
      { status: "ok", agents: [await item(first, "first"), await item(second, "second")] },
    ]);
  });

  test("never returns an agent's token or its hash", async () => {
    const agent = await linkedAgent("secretive");
    const { text } = await call("GET", "/api/agents", { session: owner.session });
    const row = await rowOf(agent);
    expect(text).not.toContain(row?.token_hash);
    expect(text).not.toContain("tok_");
  });

  test("requires an owner's session; an agent's login is rejected", async () => {
    const agent = await newAgent();
    for (const options of [{}, { bearer: agent.jwt }]) {
      const { status, body } = await call("GET", "/api/agents", options);
      expect([status, body]).toMatchObject([401, { status: "error", code: "session_required" }]);
    }
  });
});

describe("PATCH /api/agents/{agentId}", () => {
  const patch = (agent: { agentId: string }, json: unknown, session = owner.session) =>
    call("PATCH", `/api/agents/${agent.agentId}`, { session, json });

  test("renames an agent and changes nothing else", async () => {
    const agent = await linkedAgent("before");
    expect((await patch(agent, { name: "after", isAdmin: true, ownerId: "own_x" })).status).toBe(400);
    expect(await rowOf(agent)).toMatchObject({ name: "before" });
    const { status, body } = await patch(agent, { name: "after" });
    expect([status, body]).toMatchObject([200, { status: "ok", agent: { name: "after", receivingAddress: null } }]);
    expect(await rowOf(agent)).toMatchObject({ name: "after", owner_id: await ownerIdOf(owner), deleted_at: null });
  });

  test("sets the address that the agent's UPL pays to, and null resets it to the owner's wallet", async () => {
    const agent = await linkedAgent("paid");
    const elsewhere = freshAddress();
    const patched = await patch(agent, { receivingAddress: elsewhere.toLowerCase() });
    expect(patched).toMatchObject({ status: 403, body: { code: "signature_required" } });
    expect((await rowOf(agent))?.receiving_address).toBeNull();
    const signature = await signedBy(owner, patched);
    const set = await patch(agent, { receivingAddress: elsewhere.toLowerCase(), signature });
    expect(set.body).toMatchObject({ agent: { receivingAddress: elsewhere, effectiveReceivingAddress: elsewhere } });
    expect((await upl(agent)).body).toMatchObject({ accepts: [{ payTo: elsewhere }] });

    const wallet = await walletOf(owner);
    const unset = await patch(agent, { receivingAddress: null });
    expect(unset.body).toMatchObject({ agent: { receivingAddress: null, effectiveReceivingAddress: wallet } });
    expect((await upl(agent)).body).toMatchObject({ accepts: [{ payTo: wallet }] });
  });

  test("changes nothing when the body is empty", async () => {
    const agent = await linkedAgent("same");
    const rowBefore = await rowOf(agent);
    expect((await patch(agent, {})).status).toBe(200);
    expect(await rowOf(agent)).toEqual(rowBefore);
  });

  const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
  test.each<[string, unknown, string]>([
    ["an empty name", { name: "" }, "invalid_request"],
    ["a blank name", { name: "   " }, "invalid_request"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "invalid_request"],
    ["a name that is null", { name: null }, "invalid_request"],
    ["a name that is a number", { name: 1 }, "invalid_request"],
    ["a name with NUL", { name: "a\u0000" }, "invalid_request"],
    ["a name of two lines", { name: "a\nb" }, "invalid_request"],
    ["a name with half a character", { name: "\udc00" }, "invalid_request"],
    ["a name that turns the text around it", { name: "\u2067x" }, "invalid_request"],
    ["an empty address", { receivingAddress: "" }, "invalid_request"],
    ["a short address", { receivingAddress: "0x12" }, "invalid_request"],
    ["an address without 0x", { receivingAddress: "a".repeat(40) }, "invalid_request"],
    ["an address with a blank", { receivingAddress: ` ${USDC}` }, "invalid_request"],
    ["an address in full-width digits", { receivingAddress: `0x${"１".repeat(40)}` }, "invalid_request"],
    ["a name service's name", { receivingAddress: "vitalik.eth" }, "invalid_request"],
    ["an address that is a number", { receivingAddress: 0 }, "invalid_request"],
    ["an address that is a list", { receivingAddress: [USDC] }, "invalid_request"],
    ["the zero address", { receivingAddress: `0x${"0".repeat(40)}` }, "receiving_address_refused"],
    ["USDC on Base", { receivingAddress: USDC.toLowerCase() }, "receiving_address_refused"],
    [
      "USDC on Base Sepolia",
      { receivingAddress: "0x036CbD53842c5426634e7929541eC2318f3dCF7e" },
      "receiving_address_refused",
    ],
    ["a good name with a bad address", { name: "good", receivingAddress: "0x" }, "invalid_request"],
    ["a list", [], "invalid_request"],
    ["null", null, "invalid_request"],
  ])("refuses %s with 400 and changes nothing", async (_, json, code) => {
    const agent = await linkedAgent("unchanged");
    const rowBefore = await rowOf(agent);
    const { status, body } = await patch(agent, json);
    expect([status, body]).toMatchObject([400, { status: "error", code, message: expect.any(String) }]);
    expect(await rowOf(agent)).toEqual(rowBefore);
  });

  test.each<[string, BodyInit, number]>([
    ["a member named twice", '{"name":"a","name":"b"}', 400],
    ["__proto__", '{"__proto__":{"name":"x"}}', 400],
    ["100 KB", JSON.stringify({ name: "a", pad: "x".repeat(100_000) }), 413],
    ["broken JSON", "{", 400],
  ])("refuses %s", async (_, raw, status) => {
    const agent = await linkedAgent("unchanged");
    const response = await call("PATCH", `/api/agents/${agent.agentId}`, { session: owner.session, raw });
    expect(response.status).toBe(status);
    expect((await rowOf(agent))?.name).toBe("unchanged");
  });
});

describe("another owner's agent", () => {
  test("is reported as 404, as if it did not exist, and is neither changed nor deleted", async () => {
    const foreign = await linkedAgent("foreign", stranger);
    const unlinked = await newAgent("unlinked");
    const missing = { agentId: crypto.randomUUID() };
    const rowsBefore = [await rowOf(foreign), await rowOf(unlinked)];
    for (const { agentId } of [foreign, unlinked, missing]) {
      for (const method of ["PATCH", "DELETE"]) {
        const { status, body } = await call(method, `/api/agents/${agentId}`, {
          session: owner.session,
          json: { name: "mine now" },
        });
        expect([status, { ...(body as object), requestId: "" }]).toEqual([
          404,
          {
            status: "error",
            code: "agent_not_found",
            error: "You have no such agent",
            message: "You have no such agent",
            requestId: "",
            ...remedy("agent_not_found"),
          },
        ]);
      }
    }
    expect([await rowOf(foreign), await rowOf(unlinked)]).toEqual(rowsBefore);
  });

  test.each(["not-a-uuid", "1", "' or 1=1 --"])("an agent id like %s is rejected with 400", async (id) => {
    const { status, body } = await call("DELETE", `/api/agents/${encodeURIComponent(id)}`, { session: owner.session });
    expect([status, body]).toMatchObject([400, { code: "invalid_request", field: "agentId" }]);
  });

  test("requests without a session are rejected before the body is read", async () => {
    const agent = await linkedAgent("guarded");
    const response = await call("PATCH", `/api/agents/${agent.agentId}`, { raw: "{", bearer: agent.jwt });
    expect([response.status, response.body]).toMatchObject([401, { code: "session_required" }]);
  });

  test("requests from other sites change nothing", async () => {
    const agent = await linkedAgent("guarded");
    for (const method of ["PATCH", "DELETE"]) {
      const response = await call(method, `/api/agents/${agent.agentId}`, {
        session: owner.session,
        headers: { origin: "https://evil.example" },
        json: { name: "stolen" },
      });
      expect([response.status, response.body]).toMatchObject([403, { code: "origin_not_allowed" }]);
    }
    expect(await rowOf(agent)).toMatchObject({ name: "guarded", deleted_at: null });
  });
});

describe("DELETE /api/agents/{agentId}", () => {
  test("makes the agent's UPL 404 and each of its logins agent_not_found, keeps its row, and takes effect once", async () => {
    const agent = await linkedAgent("doomed");
    await service.opened.sql`update agents set bound_at = now() where id = ${agent.agentId}`;
    expect((await upl(agent)).status).toBe(402);
    const { status, body } = await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session });
    expect([status, body]).toEqual([200, { status: "ok", agentId: agent.agentId, isDeleted: true }]);

    expect([(await upl(agent)).status, (await upl(agent)).body]).toMatchObject([404, { code: "AGENT_NOT_FOUND" }]);
    expect(await receiverOf(agent)).toBe("missing");
    await expect(identity.authenticate(service.opened.system, agent.jwt)).rejects.toMatchObject({
      code: "agent_not_found",
    });
    const refresh = await call("POST", "/refresh", { json: { agent_id: agent.agentId, token: agent.token } });
    expect([refresh.status, refresh.body]).toEqual([404, { error: "agent_not_found" }]);

    expect(await rowOf(agent)).toMatchObject({ owner_id: await ownerIdOf(owner), deleted_at: expect.any(Date) });
    const repeatedResponse = await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session });
    expect(repeatedResponse.status).toBe(404);
    const events = await service.opened
      .sql`select type from events where agent_id = ${agent.agentId} order by created_at`;
    expect(events.map((event) => event.type)).toEqual(["agent.registered", "agent.linked", "agent.deleted"]);
  });

  test("a deleted agent cannot be linked again", async () => {
    const agent = await linkedAgent("doomed");
    await service.opened.sql`update agents set bound_at = now() where id = ${agent.agentId}`;
    await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session });
    await expect(link(agent, owner)).rejects.toMatchObject({ code: "agent_linked_elsewhere", kind: "not_found" });
  });
});

describe("linking an agent", () => {
  test("to the same owner again changes nothing", async () => {
    const agent = await linkedAgent("mine");
    const rowBefore = await rowOf(agent);
    await link(agent, owner);
    expect(await rowOf(agent)).toEqual(rowBefore);
  });

  test("that already has an owner does not give it to another owner", async () => {
    const agent = await linkedAgent("mine");
    await expect(link(agent, stranger)).rejects.toMatchObject({ code: "agent_linked_elsewhere", kind: "not_found" });
    expect((await rowOf(agent))?.owner_id).toBe(await ownerIdOf(owner));
  });

  test("by two owners at the same time succeeds for exactly one of them", async () => {
    for (let round = 0; round < 5; round++) {
      const agent = await newAgent();
      const outcomes = await Promise.allSettled(
        [owner, stranger, owner, stranger].map((person) => link(agent, person)),
      );
      const winner = (await rowOf(agent))?.owner_id === (await ownerIdOf(owner)) ? 0 : 1;
      expect(outcomes.map((outcome) => outcome.status === "fulfilled")).toEqual(
        [0, 1, 0, 1].map((person) => person === winner),
      );
    }
  });
});

describe("an agent's receiving address", () => {
  test("is null when the agent has no owner or does not exist", async () => {
    expect(await receiverOf(await newAgent())).toBe("no_wallet");
    expect(await receiverOf({ agentId: crypto.randomUUID(), token: "", jwt: "" })).toBe("missing");
  });

  test("is the owner's spending wallet on the requested network, which is created if necessary", async () => {
    const person = await newOwner();
    const agent = await linkedAgent("new", person);
    const [base, sepolia] = await Promise.all(
      (["base", "base-sepolia"] as const).map((n) =>
        agents.receiverOf(service.opened.system, agent.agentId as AgentId, n),
      ),
    );
    const wallets = await service.opened
      .sql`select network, address from wallets where owner_id = ${await ownerIdOf(person)}`;
    const addressOn = (network: string) => wallets.find((wallet) => wallet.network === network)?.address;
    const rest = { agentId: agent.agentId, name: "new", ownerId: await ownerIdOf(person) };
    expect([base, sepolia]).toEqual([
      { ...rest, address: toAddress(addressOn("base")) },
      { ...rest, address: toAddress(addressOn("base-sepolia")) },
    ]);
  });
});
