import { beforeAll, describe, expect, test } from "vitest";
import { MANDATE_COLUMNS } from "@/lib/mandates/owner/contract";
import { newAgent } from "../support/actors";
import { csvText, formulasIn, type Line, parseCsv } from "../support/csv";
import { call, fetchPath } from "../support/http";
import { type Json, linkedPair, owned, type Parties, pay, proposed, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

shareService();
let pair: Parties;
let ids: { active: string; paused: string; waiting: string };

beforeAll(async () => {
  pair = await linkedPair();
  const { mandateId: active } = await signedMandate(
    { maxAmountPerDay: "50000", hostAllowlist: ["api.example.com"] },
    pair,
  );
  expect((await pay(pair.agent, active)).status).toBe(200);
  const { mandateId: paused } = await signedMandate({ network: "base-sepolia", naturalLanguage: "Buy maps" }, pair);
  await owned(pair.owner, paused, "enabled", { isEnabled: false });
  const { mandateId: waiting } = await proposed(pair.agent, { naturalLanguage: "=HYPERLINK(1)", category: "@x" });
  ids = { active, paused, waiting };
});

const path = (query: string) => `/api/wallet/mandates.csv${query}`;
async function download(query = ""): Promise<{ text: string; lines: Line[] }> {
  const headers = { cookie: `next-auth.session-token=${pair.owner.session}` };
  const response = await fetchPath("GET", path(query), { headers });
  expect(response.status).toBe(200);
  const text = await csvText(response);
  return { text, lines: parseCsv(text, MANDATE_COLUMNS) };
}

describe("the CSV file of an owner's mandates", () => {
  test("is sorted like the list, and contains no spreadsheet formula", async () => {
    const { text, lines } = await download();
    // The one that linked the agent was rejected.
    expect(lines.map(({ mandate_id }) => mandate_id).slice(0, 3)).toEqual([ids.active, ids.paused, ids.waiting]);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({
      status: "signed",
      limit_atomic: "1000000",
      pending_atomic: "10000",
      remaining_atomic: "990000",
      max_per_day_atomic: "50000",
      max_per_month_atomic: "",
      hosts: "api.example.com",
      mode: "wallet",
    });
    expect(formulasIn(text)).toEqual([]);
  });

  test.each<[string, () => string[]]>([
    ["status=active", () => [ids.active]],
    ["status=paused&network=base-sepolia", () => [ids.paused]],
    ["status=active&network=base-sepolia", () => []],
    ["text=MAPS", () => [ids.paused]],
    ["text=api.example.com", () => [ids.active]],
    ["mode=vault", () => []],
    ["to=2020-01-01", () => []],
    ["from=2999-01-01", () => []],
    ["status=waiting&mode=wallet&from=2020-01-01", () => [ids.waiting]],
  ])("is filtered by %s", async (query, expected) => {
    const { lines } = await download(`?${query}`);
    expect(lines.map(({ mandate_id }) => mandate_id)).toEqual(expected());
  });

  test.each(["status=new", "network=solana", "mode=cash", "from=yesterday", "agent=5"])(
    "is refused with %s",
    async (query) => {
      const response = await call("GET", path(`?${query}`), { session: pair.owner.session });
      expect([response.status, (response.body as Json).code]).toEqual([400, "invalid_request"]);
    },
  );

  test("is not found for another owner's agent", async () => {
    const { agentId } = await newAgent();
    const response = await call("GET", path(`?agent=${agentId}`), { session: pair.owner.session });
    expect([response.status, (response.body as Json).code]).toEqual([404, "agent_not_found"]);
  });
});
