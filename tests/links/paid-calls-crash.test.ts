import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { violations } from "@/ops/invariants";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { type Replica, startReplica, until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";

const PRICE = 10_000n;
/** A try that nobody ended counts as over this long after its time limit. */
const BUSY_SECONDS = 12;
const PAUSE_MS = 500;

const service = runService();
let upstream: Server;
let url: string;
let keys: string[];
let seller: Parties;

beforeAll(async () => {
  upstream = createServer((req, res) => {
    req.resume();
    keys.push(String(req.headers["idempotency-key"]));
    res.writeHead(200, { "content-type": "application/json" }).end('{"answer":42}');
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  url = `http://localhost:${(upstream.address() as AddressInfo).port}`;
  seller = await linkedPair();
});

afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

beforeEach(() => {
  keys = [];
});

async function sells(): Promise<Json> {
  const json = { amount: PRICE.toString(), upstream: { url, secondsMax: 1 } };
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

test("two servers send one request of a proof that is presented to both twenty times at once", async () => {
  const link = await sells();
  const present = presentAt(link);
  const replica = await startReplica();
  const proof = claimFrom(service.payer(), link.payTo, PRICE);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => present(index % 2 === 0 ? null : replica, proof)),
  );
  for (const { status } of responses) expect([200, 202, 503]).toContain(status);
  expect((await untilAnswered(() => present(replica, proof))).text).toBe('{"answer":42}');
  await replica.kill();
  expect(keys).toHaveLength(1);
});
