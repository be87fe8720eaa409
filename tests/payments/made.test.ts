import { beforeAll, describe, expect, test } from "vitest";
import { MADE_COLUMNS } from "@/lib/payments/made/contract";
import { newAgent } from "../support/actors";
import { csvText, formulasIn, type Line, parseCsv } from "../support/csv";
import { call, fetchPath } from "../support/http";
import { type Json, linkedPair, type Parties, pay, proposed, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
let pair: Parties;
let ids: { weather: string; maps: string };

beforeAll(async () => {
  pair = await linkedPair();
  const { mandateId: weather } = await signedMandate({}, pair);
  const { mandateId: maps } = await signedMandate({ naturalLanguage: "Buy maps" }, pair);
  ids = { weather, maps };
  for (const [mandateId, resource, description] of [
    [weather, "https://api.example.com/a", "=HYPERLINK(1)"],
    [weather, "https://other.example.com:8443/b", "Clouds"],
    [maps, "https://api.example.com/c", "Maps"],
  ] as const)
    expect((await pay(pair.agent, mandateId, { resource, description, validityWindowSeconds: 3600 })).status).toBe(200);
});

const path = (query: string) => `/api/wallet/payments.csv${query}`;
async function download(query = "", session = pair.owner.session): Promise<{ text: string; lines: Line[] }> {
  const headers = { cookie: `next-auth.session-token=${session}` };
  const response = await fetchPath("GET", path(query), { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-disposition")).toMatch(/filename="tessera-payments-made-\d{4}-\d\d-\d\d\.csv"$/);
  const text = await csvText(response);
  return { text, lines: parseCsv(text, MADE_COLUMNS) };
}
const resources = ({ lines }: { lines: Line[] }) => lines.map(({ resource }) => resource?.at(-1)).join("");

describe("the CSV file of payments made", () => {
  test("contains all payments, newest first, and no spreadsheet formula", async () => {
    const { text, lines } = await download();
    expect(resources({ lines })).toBe("cba");
    expect(lines[2]).toMatchObject({
      status: "signed",
      amount_atomic: "10000",
      amount: "0.01",
      currency: "USDC",
      network: "base",
      host: "api.example.com",
      mandate_id: ids.weather,
      agent_id: pair.agent.agentId,
      agent_name: "Test agent",
      description: "'=HYPERLINK(1)",
      settled: "",
      tx_hash: "",
      settlement_id: "",
      receipt_url: "",
      payment_id: expect.stringMatching(/^pay_/),
    });
    expect(formulasIn(text)).toEqual([]);
  });

  test("neither loses nor repeats payments with the same time between two pages", async () => {
    const crowd = await linkedPair();
    const { mandateId } = await signedMandate({}, crowd);
    expect((await pay(crowd.agent, mandateId)).status).toBe(200);
    // Copies of it, more than a page has.
    await service.opened
      .sql`with original as (select p.*, r.network, r.payer, r.payee, r.amount, r.valid_before, r.charged_hour
          from payments p join reservations r on r.id = p.reservation_id where p.mandate_id = ${mandateId}),
      copied as (insert into reservations (network, payer, payee, amount, nonce, valid_before, state, mandate_id, ended_at,
            wallet_id, agent_id, charged_hour)
          select network, payer, payee, amount, '0x' || lpad(to_hex(n), 64, '0'), valid_before, 'released', mandate_id,
            created_at, wallet_id, agent_id, charged_hour from original, generate_series(1, 1001) n returning id)
      insert into payments (id, reservation_id, agent_id, mandate_id, wallet_id, asset, credit_payee, valid_after, host,
        resource, description, created_at) select 'pay_' || lpad(copied.id::text, 24, '0'), copied.id, agent_id, mandate_id, wallet_id, asset,
        credit_payee, valid_after, host, resource, description, o.created_at from original o, copied`;
    const { lines } = await download("", crowd.owner.session);
    expect(new Set(lines.map(({ payment_id }) => payment_id)).size).toBe(1002);
    expect(lines).toHaveLength(1002);
  });

  test.each<[string, () => string]>([
    ["host=api.example.com", () => "ca"],
    ["host=API.Example.com", () => "ca"],
    ["host=other.example.com:8443", () => "b"],
    ["host=other.example.com", () => ""],
    ["status=open", () => "cba"],
    ["status=settled", () => ""],
    ["status=ended", () => ""],
    ["to=2020-01-01", () => ""],
    ["from=2999-01-01", () => ""],
    ["from=2020-01-01&to=2999-01-01", () => "cba"],
  ])("is filtered by %s", async (query, expected) => {
    expect(resources(await download(`?${query}`))).toBe(expected());
  });

  test("is filtered by agent and mandate", async () => {
    expect(resources(await download(`?mandate=${ids.weather}&agent=${pair.agent.agentId}`))).toBe("ba");
    expect(resources(await download(`?mandate=${ids.maps}&host=api.example.com`))).toBe("c");
  });

  test.each(["status=new", "host=https://x.example/", "from=yesterday", "agent=5", "mandate=%20"])(
    "is refused with %s",
    async (query) => {
      const response = await call("GET", path(`?${query}`), { session: pair.owner.session });
      expect([response.status, (response.body as Json).code]).toEqual([400, "invalid_request"]);
    },
  );

  test("is not found for another owner's agent or mandate", async () => {
    const { agentId } = await newAgent();
    const otherParties = await linkedPair();
    const { mandateId } = await proposed(otherParties.agent);
    for (const [query, code] of [
      [`agent=${agentId}`, "agent_not_found"],
      [`mandate=${mandateId}`, "mandate_not_found"],
    ]) {
      const response = await call("GET", path(`?${query}`), { session: pair.owner.session });
      expect([response.status, (response.body as Json).code]).toEqual([404, code]);
    }
    expect((await download("", otherParties.owner.session)).lines).toEqual([]);
  });
});
