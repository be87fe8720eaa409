import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { violations } from "@/ops/invariants";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { type Replica, startReplica, until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";
import { openUpstream, type UpstreamServer } from "../support/upstream";

const PRICE = 10_000n;
/** A try that nobody ended counts as over this long after its time limit. */
const BUSY_SECONDS = 12;
const PAUSE_MS = 500;

const service = runService();
let upstream: UpstreamServer;
let url: string;
let keys: string[];
let answering: (res: ServerResponse) => void;
/** Requests at the upstream at once: now, and at most. */
let open = 0;
let most = 0;
let seller: Parties;

const answer = (res: ServerResponse) =>
  void res.writeHead(200, { "content-type": "application/json" }).end('{"answer":42}');

beforeAll(async () => {
  upstream = await openUpstream((req, res) => {
    req.resume();
    keys.push(String(req.headers["idempotency-key"]));
    open += 1;
    most = Math.max(most, open);
    res.once("finish", () => {
      open -= 1;
    });
    answering(res);
  });
  url = upstream.url;
  seller = await linkedPair();
});

afterAll(() => upstream?.close());

beforeEach(() => {
  keys = [];
  most = 0;
  answering = answer;
});

async function sells(secondsMax = 1): Promise<Json> {
  const json = { amount: PRICE.toString(), upstream: { url, secondsMax } };
  const response = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json });
  expect([response.status, response.body]).toMatchObject([200, { success: true }]);
  return (response.body as Json).paymentLink;
}

const presentAt =
  (link: Json) =>
  (replica: Pick<Replica, "port"> | null, proof: ReturnType<typeof claimFrom>): Promise<Answer> =>
    call("GET", `/paid/${link.linkId}/x`, { headers: paying(proof), ...(replica && { port: replica.port }) });

/** Presents the proof until there is an answer, as a buyer does. */
async function untilAnswered(present: () => Promise<Answer>): Promise<Answer> {
  const responses: Answer[] = [];
  await until(
    async () => {
      const response = await present();
      responses.push(response);
      // 202 and 503 tell the buyer to send the same request again.
      expect([200, 202, 503]).toContain(response.status);
      if (response.status !== 200) await sleep(PAUSE_MS);
      return response.status === 200;
    },
    "the answer",
    90,
  );
  const last = responses.at(-1);
  if (!last) throw new Error("no response");
  return last;
}

test.each([
  ["settlement.claimed", 1],
  ["upstream.started", 1],
  ["upstream.answered", 2],
])(
  "a server killed at %s costs the buyer one payment, and another server gives the answer",
  async (place, asked) => {
    const link = await sells();
    const present = presentAt(link);
    const proof = claimFrom(service.payer(), link.payTo, PRICE);
    const doomed = await startReplica({ FAILPOINTS: `${place}=kill` });
    await expect(present(doomed, proof)).rejects.toThrow();
    expect(await doomed.died).toBe("SIGKILL");
    const answered = await untilAnswered(() => present(null, proof));
    expect(answered.text).toBe('{"answer":42}');
    expect(await present(null, proof)).toMatchObject({ status: 200, text: '{"answer":42}' });
    expect(keys).toHaveLength(asked);
    expect(new Set(keys).size).toBe(1);
    const rows = await service.opened.sql`select state from settlements where subject = ${link.linkId}`;
    expect(rows.map(({ state }) => state)).toEqual(["settled"]);
    expect(await violations(service.opened.system, ["base"])).toEqual([]);
  },
  (BUSY_SECONDS + 120) * 1_000,
);

test("two servers settle a proof that is presented to both two hundred times at once once, and ask one after the other", async () => {
  const link = await sells();
  const present = presentAt(link);
  const replica = await startReplica();
  const proof = claimFrom(service.payer(), link.payTo, PRICE);
  // Three failures, and then an answer.
  answering = (res) => void setTimeout(() => (keys.length < 4 ? res.writeHead(500).end() : answer(res)), 50);
  for (let round = 0; round < 6; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => present(index % 2 === 0 ? null : replica, proof)),
    );
    for (const { status, body } of responses) {
      expect([200, 202, 503]).toContain(status);
      // Without `repeatUntil`, the buyer would give the purchase up.
      const { code, repeatUntil } = body as Json;
      if (code === "UPSTREAM_FAILED") expect(repeatUntil).toEqual(expect.any(String));
    }
  }
  expect((await untilAnswered(() => present(replica, proof))).text).toBe('{"answer":42}');
  await replica.kill();
  expect([keys.length, new Set(keys).size, most]).toEqual([4, 1, 1]);
  const rows = await service.opened.sql`select state from settlements where subject = ${link.linkId}`;
  expect(rows.map(({ state }) => state)).toEqual(["settled"]);
});

test("a server that ends gives back a call that is still under way, and another one answers at once", async () => {
  const link = await sells(60);
  const present = presentAt(link);
  const replica = await startReplica();
  const proof = claimFrom(service.payer(), link.payTo, PRICE);
  answering = () => {};
  const underway = present(replica, proof);
  await until(async () => keys.length === 1, "the call");
  const stopping = replica.stop();
  expect(await underway).toMatchObject({ status: 503, body: { code: "UPSTREAM_FAILED", reason: "busy" } });
  await stopping;
  answering = answer;
  expect(await present(null, proof)).toMatchObject({ status: 200, text: '{"answer":42}' });
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});
