import { afterEach, expect, test } from "vitest";
import { newAgent, type TestAgent } from "../support/actors";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, pay, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();

/** The mandates that `paid` used. */
const mandateIds = new Set<string>();

// The invariants would miss the transfers of what is written here as paid.
afterEach(async () => {
  const { sql } = service.opened;
  const used = [...mandateIds];
  await sql`delete from purchases where payment_id in (select id from payments where mandate_id = any(${used}))`;
  await sql`delete from payments where mandate_id = any(${used})`;
  await sql`delete from reservations where mandate_id = any(${used})`;
  await sql`update mandates set spent_amount = 0, pending_amount = 0 where id = any(${used})`;
});

const ask = ({ jwt }: TestAgent, resource: string, query = "") =>
  call("GET", `/api/payments/host-history?resource=${encodeURIComponent(resource)}${query}`, { bearer: jwt });
const historyOf = async (agent: TestAgent, resource: string): Promise<Json> => {
  const response = await ask(agent, resource);
  expect(response.status).toBe(200);
  return (response.body as Json).hostHistory;
};

type Seen = { state?: "committed" | "released" | "open"; status?: number | null; isDelivered?: boolean };

/** A payment as the chain and the seller ended it. `status`: the seller's last answer to the proof; undefined: the agent presented it. */
async function paid(
  agent: TestAgent,
  mandateId: string,
  terms: { resource: string; amount?: string; payTo?: string },
  { state = "committed", status, isDelivered = false }: Seen = {},
): Promise<void> {
  mandateIds.add(mandateId);
  const response = await pay(agent, mandateId, terms);
  expect(response.status).toBe(200);
  const { paymentRecordId } = response.body as Json;
  const { sql } = service.opened;
  await sql`update reservations set state = ${state}, ended_at = case when ${state} = 'open' then null else now() end
    where id = (select reservation_id from payments where id = ${paymentRecordId})`;
  if (status === undefined) return;
  await sql`insert into purchases (id, agent_id, key_hash, request_hash, payment_id, sealed_proof, sealed_answer, last_status,
      held_until, created_at)
    values (${`pur_${paymentRecordId}`}, ${agent.agentId}, ${paymentRecordId}, 'x', ${paymentRecordId}, 'proof',
      ${isDelivered ? "answer" : null}, ${status}, now(), now())`;
}

const HOST = "https://api.example.com";
const NOTHING = { paid: 0, delivered: 0, unseen: 0, refused: 0, priceAsListed: 0, addressesPaid: 0, lastPaidAt: null };

test("an owner's agents see what became of all payments for a host, and nobody else's", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  expect(await historyOf(pair.agent, `${HOST}/a`)).toMatchObject({ ...NOTHING, listedAmount: null, lastPayTo: null });

  const [first, second] = [freshAddress(), freshAddress()];
  await paid(
    pair.agent,
    mandateId,
    { resource: `${HOST}/a?day=1`, amount: "100", payTo: first },
    { status: 200, isDelivered: true },
  );
  await paid(pair.agent, mandateId, { resource: `${HOST}/a?day=2#x`, amount: "100", payTo: first });
  await paid(pair.agent, mandateId, { resource: `${HOST}/a`, amount: "150", payTo: first }, { status: 402 });
  await paid(
    pair.agent,
    mandateId,
    { resource: `${HOST}/b`, amount: "900", payTo: second },
    { status: 200, isDelivered: true },
  );
  // Not paid: refused and never used; expired; on its way; and another port is another host.
  const unpaid = { resource: `${HOST}/b`, amount: "1", payTo: freshAddress() };
  await paid(pair.agent, mandateId, unpaid, { state: "released", status: 500 });
  await paid(pair.agent, mandateId, unpaid, { state: "released" });
  await paid(pair.agent, mandateId, unpaid, { state: "open", status: null });
  await paid(pair.agent, mandateId, { ...unpaid, resource: `${HOST}:8443/b` });

  const facts = { paid: 4, delivered: 2, unseen: 1, refused: 2, priceAsListed: 3, addressesPaid: 2, lastPayTo: second };
  expect(await historyOf(pair.agent, `${HOST}/a?day=3`)).toEqual({
    ...facts,
    listedAmount: "100",
    lastPaidAt: expect.stringMatching(/^20/),
  });
  expect(await historyOf(pair.agent, "HTTPS://API.example.com/b")).toMatchObject({ ...facts, listedAmount: null });
  expect(await historyOf(pair.agent, `${HOST}/b`)).toMatchObject({ listedAmount: "900" });
  expect(await historyOf(pair.agent, `${HOST}/c`)).toMatchObject({ ...facts, listedAmount: null });
  expect(((await ask(pair.agent, `${HOST}/a`, "&network=base-sepolia")).body as Json).hostHistory).toMatchObject(
    NOTHING,
  );
  expect(await historyOf((await linkedPair()).agent, `${HOST}/a`)).toMatchObject(NOTHING);
});

test("an agent without an owner gets null, and what is no URL to pay is refused", async () => {
  const agent = await newAgent();
  expect(await historyOf(agent, `${HOST}/a`)).toBeNull();
  for (const resource of ["", "api.example.com", "ftp://api.example.com/", "https://me:secret@api.example.com/"])
    expect(await ask(agent, resource)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
});

test("the facts are of the newest 500 payments", async () => {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({}, pair);
  await paid(pair.agent, mandateId, { resource: `${HOST}/many`, amount: "7" });
  await service.opened
    .sql`with original as (select p.*, r.network, r.payer, r.payee, r.amount, r.valid_before, r.charged_hour
        from payments p join reservations r on r.id = p.reservation_id where p.mandate_id = ${mandateId}),
    copied as (insert into reservations (network, payer, payee, amount, nonce, valid_before, state, mandate_id, ended_at,
          wallet_id, agent_id, charged_hour)
        select network, payer, payee, 8, '0x' || lpad(to_hex(n), 64, '0'), valid_before, 'committed', mandate_id,
          created_at, wallet_id, agent_id, charged_hour from original, generate_series(1, 3000) n returning id)
    insert into payments (id, reservation_id, agent_id, mandate_id, wallet_id, asset, valid_after, host, resource, description,
      created_at) select 'pay_' || lpad(copied.id::text, 24, '0'), copied.id, agent_id, mandate_id, wallet_id, asset, valid_after, host,
      resource, description, o.created_at + interval '1 second' from original o, copied`;
  expect(await historyOf(pair.agent, `${HOST}/many`)).toMatchObject({
    paid: 500,
    priceAsListed: 500,
    listedAmount: "8",
  });
});
