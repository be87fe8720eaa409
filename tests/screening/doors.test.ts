import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newOwner } from "../support/actors";
import { confirmedCall, setReceivingAddress } from "../support/confirmations";
import { newKey, requestV1, settle, verify } from "../support/facilitator";
import { type Answer, BASE_URL, call } from "../support/http";
import { linkedPair, type Parties, pay, RESOURCE, signedMandate } from "../support/mandates";
import { body, createPayout, decide, funded, payout, requestedPayout, requestPayout } from "../support/payouts";
import { until } from "../support/replica";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

// Every door that an agent, an owner, a buyer or a seller pays or is paid through, while the payee is on the operator's list. All of them
// were open before. Vaults and refunds need the service's jobs: screening.test.ts.

const AMOUNT = 250_000n;
const dir = mkdtempSync(join(tmpdir(), "tessera-doors-"));
const file = join(dir, "list.txt");
const DENIED = freshAddress();
let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let pair: Parties;

const list = (...addresses: string[]) => writeFileSync(file, addresses.join("\n"));

beforeAll(async () => {
  list(freshAddress());
  process.env.SCREENING_LISTS = `ours=${file}`;
  process.env.SCREENING_RELOAD_SECONDS = "5";
  world = await createWorld();
  wiring = await import("../support/wiring");
  testSystem = openSystem();
  pair = await linkedPair();
  await funded(world, pair.owner, 100_000_000n);
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
  rmSync(dir, { recursive: true, force: true });
});

const post = (path: string, json: object) => call("POST", path, { bearer: pair.agent.jwt, json });
const single = (json: object) =>
  post("/api/payment/x402V1Payment", { amount: "10000", payTo: DENIED, resource: RESOURCE, ...json });

/** What a door would change. */
const written = () =>
  testSystem.sql`select (select count(*) from reservations) as reservations, (select count(*) from payments) as payments,
    (select count(*) from settlements) as settlements, (select count(*) from payouts where approved_at is not null) as payouts,
    (select count(*) from approvals) as approvals, (select coalesce(sum(pending_amount), 0) from mandates) as pending`;

type Door = { payee: string; enter: () => Promise<Answer> };

/** Prepares what each door needs, while nobody is listed. */
async function openDoors(): Promise<Record<string, Door>> {
  const { mandateId } = await signedMandate({}, pair);
  const { approvalId } = body(await single({}));
  expect((await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {})).status).toBe(200);
  const waiting = await requestedPayout(pair.agent, { toAddress: DENIED });

  await setReceivingAddress(pair, DENIED);
  const sold = body(await post("/api/payment-links", { amount: AMOUNT.toString() })).paymentLink;
  const key = await newKey((await newOwner()).session);
  const [payer] = world.accounts;
  if (!payer) throw new Error("no such account");
  const claim = (to: string, amount = AMOUNT) => claimFrom(payer, to, amount);
  const treasury = testSystem.system.config.treasury;
  const shares = [freshAddress(), DENIED].map((toAddress) => ({ toAddress, amount: "10000" }));
  const split = payout({ toAddress: undefined, amount: undefined, recipients: shares });
  const own = { network: "base", currency: "USDC", approve: true };
  const to = (enter: Door["enter"], payee: string = DENIED): Door => ({ payee, enter });
  return {
    "a payment under a mandate": to(() => pay(pair.agent, mandateId, { payTo: DENIED })),
    "a single payment": to(() => single({})),
    "a single payment that was approved": to(() => single({ approvalId })),
    "a payout": to(() => requestPayout(pair.agent, payout({ toAddress: DENIED }))),
    "a payout under a mandate": to(() => requestPayout(pair.agent, payout({ toAddress: DENIED, mandateId }))),
    "a share of a payout": to(() => requestPayout(pair.agent, split)),
    "a payout of the owner": to(() => createPayout(pair.owner, { ...payout({ toAddress: DENIED }), ...own })),
    "a payout that waited": to(() => decide(pair.owner, waiting.id, "approve")),
    "a payment at a link": to(() => call("GET", `/paymentlink/${sold.linkId}`, { headers: paying(claim(DENIED)) })),
    "a payment at an agent's address": to(() =>
      call("GET", `/unifypaymentlink/agentid/${pair.agent.agentId}?amount=${AMOUNT}&asset=usdc`, {
        headers: paying(claim(DENIED)),
      }),
    ),
    "a proof that the facilitator verifies": to(() => verify(key, requestV1(claim(DENIED)))),
    "a proof that the facilitator settles": to(() => settle(key, requestV1(claim(DENIED)))),
    "a top-up": to(
      () =>
        call("POST", "/api/credits/top-up", {
          json: { amount: "1000000", agentId: pair.agent.agentId },
          headers: paying(claim(treasury, 1_000_000n)),
        }),
      treasury,
    ),
  };
}

test("a listed payee is paid through no door: each names the list and where to appeal, and changes nothing", async () => {
  const doors = await openDoors();
  const payees = [...new Set(Object.values(doors).map(({ payee }) => payee))];
  list(...payees);
  for (const address of payees)
    await until(
      async () => (await call("POST", "/api/payee-reports", { json: { address } })).status === 200,
      `${address} to be listed`,
    );
  const before = await written();
  for (const [name, { payee, enter }] of Object.entries(doors)) {
    const { status, body: json } = await enter();
    expect([name, status, json]).toMatchObject([
      name,
      403,
      {
        code: expect.stringMatching(/^payee_denied$/i),
        list: "ours",
        address: payee,
        appealUrl: `${BASE_URL}/report?address=${payee}`,
      },
    ]);
  }
  expect(await written()).toEqual(before);
});
