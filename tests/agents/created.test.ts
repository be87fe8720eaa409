import { beforeAll, describe, expect, test } from "vitest";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { shareService } from "../support/service";

shareService();

let owner: TestOwner;

beforeAll(async () => {
  owner = await newOwner();
});

type Created = { token: string; agent: { agentId: string; name: string; isBound: boolean; linkedAt: string } };
const create = (owner: TestOwner, name: unknown) =>
  call("POST", "/api/agents", { session: owner.session, json: { name } });

describe("POST /api/agents", () => {
  test("creates an agent that belongs to the owner, can sell at once, and cannot unlink itself", async () => {
    const { status, body } = await create(owner, "My shop");
    expect(status).toBe(201);
    const { agent, token } = body as Created;
    expect(agent).toMatchObject({ name: "My shop", isBound: true, linkedAt: expect.any(String) });
    const createdResponse = await call("POST", `/api/agents/${agent.agentId}/payment-links`, {
      session: owner.session,
      json: { amount: "1000000" },
    });
    expect(createdResponse).toMatchObject({ status: 200, body: { paymentLink: { isPayable: true } } });

    const login = await call("POST", "/refresh", { json: { agent_id: agent.agentId, token } });
    const { jwt } = login.body as { jwt: string };
    expect(await call("POST", "/api/payment-links", { bearer: jwt, json: { amount: "5" } })).toMatchObject({
      status: 200,
    });
    expect(await call("POST", "/api/agent/self/unlink", { bearer: jwt })).toMatchObject({
      body: { code: "agent_bound" },
    });
    const renewed = await confirmedCall(owner, `/api/agents/${agent.agentId}/token`, {});
    expect(renewed.status).toBe(200);
  });

  test("hides the new agent from other owners", async () => {
    const { agent } = (await create(owner, "Private")).body as Created;
    const stranger = await newOwner();
    const { body } = await call("GET", "/api/agents", { session: stranger.session });
    expect((body as { agents: object[] }).agents).toEqual([]);
    const path = `/api/agents/${agent.agentId}/payment-links`;
    const refusal = await call("POST", path, { session: stranger.session, json: { amount: "1" } });
    expect(refusal).toMatchObject({ status: 404, body: { code: "agent_not_found" } });
  });

  test.each([undefined, "", " ", "a\u202eb", "x".repeat(101), 1])("refuses the agent name %j", async (name) => {
    expect(await create(owner, name)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });
});
