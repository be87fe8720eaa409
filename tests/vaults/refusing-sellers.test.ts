import { expect, test } from "vitest";
import { newAgent, newOwner, type TestOwner } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, owned, type Parties, pay, proposed } from "../support/mandates";
import { shareService } from "../support/service";
import { AGENT_KEY, vaultMandate } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

const service = shareService();
const vaults = vaultsIn(service);

const HOST = "api.example.com";

/** Another agent of the same owner, with a vault for anybody. */
async function otherAgent({ owner }: Parties) {
  const agent = await newAgent();
  const { mandateId: link, token } = await proposed(agent);
  await owned(owner, link, "claim", { token });
  return vaultMandate(service.world, {}, {}, { owner, agent });
}

const sellersOf = async (owner: TestOwner, id: string): Promise<Json> =>
  (await call("GET", `/api/mandates/${id}/refusing-sellers`, { session: owner.session })).body;

const forget = (owner: TestOwner, id: string, host = HOST) =>
  call("POST", `/api/mandates/${id}/refusing-sellers/forget`, { session: owner.session, json: { host } });

test("one agent's report that a seller refuses contracts does not affect the owner's other agents", async () => {
  const parties = await linkedPair();
  const shop = freshAddress();
  const careful = await vaultMandate(service.world, { vault: { payees: [shop] } }, {}, parties);
  const keyed = await vaultMandate(service.world, { vault: { agentKey: AGENT_KEY.address } }, {}, parties);
  const loose = await otherAgent(parties);
  for (const { mandateId } of [careful, keyed, loose]) await vaults.isIn(mandateId, "open");
  const { body } = await vaults.paid(loose.agent, loose.mandateId, { payTo: freshAddress(), amount: "1" });
  await vaults.refusedBySeller(loose.agent, body);
  const paysStill = async () => [
    outcome(await pay(parties.agent, careful.mandateId, { payTo: shop })),
    outcome(await pay(parties.agent, keyed.mandateId)),
  ];
  expect(await paysStill()).toEqual([
    [200, "ok"],
    [422, "agent_authorization_required"],
  ]);
  expect(await sellersOf(parties.owner, careful.mandateId)).toEqual({ status: "ok", sellers: [] });
  expect((await sellersOf(parties.owner, loose.mandateId)).sellers).toMatchObject([{ host: HOST, seenBy: "agent" }]);
  // What the service has seen itself counts for all of them.
  await service.opened.sql`update contract_refusals set is_witnessed = true where agent_id = ${loose.agent.agentId}`;
  expect(await paysStill()).toEqual([
    [422, "contract_payer_refused"],
    [422, "contract_payer_refused"],
  ]);
  expect((await sellersOf(parties.owner, careful.mandateId)).sellers).toMatchObject([
    { host: HOST, seenBy: "service" },
  ]);
});

test("only the owner can have a seller's refusals forgotten", async () => {
  const { owner, agent, mandateId } = await vaults.opened();
  const { body } = await vaults.paid(agent, mandateId, { payTo: freshAddress(), amount: "1000" });
  await vaults.refusedBySeller(agent, body);
  expect(outcome(await pay(agent, mandateId))).toEqual([422, "pocket_busy"]);
  const stranger = await newOwner();
  expect(outcome(await forget(stranger, mandateId))).toEqual([404, "mandate_not_found"]);
  expect(outcome(await forget(owner, mandateId, ""))).toEqual([400, "invalid_request"]);
  expect((await sellersOf(owner, mandateId)).sellers).toHaveLength(1);
  expect(outcome(await forget(owner, mandateId))).toEqual([200, "ok"]);
  expect(outcome(await forget(owner, mandateId))).toEqual([200, "ok"]);
  expect((await sellersOf(owner, mandateId)).sellers).toEqual([]);
  const repeatedResponse = await vaults.paid(agent, mandateId);
  expect(repeatedResponse.body.xPayment.payload.authorization.from).toBe((await vaults.rowOf(mandateId)).address);
  const events = await service.opened.sql`select meta from events where type = 'owner.seller_forgotten'
    and owner_id = (select owner_id from mandates where id = ${mandateId})`;
  expect(events.map(({ meta }) => meta)).toEqual([{ network: "base", host: HOST }]);
});
