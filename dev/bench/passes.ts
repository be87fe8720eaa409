import { fork } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { PASS_CALLS_MAX } from "@/lib/links/passes/limits";
import { fetchRequirement, type Requirement } from "../actors/agents";
import { expectBody } from "../actors/api";
import { type Bench, PRICE, priceOf, signedMandate, signV3 } from "./actors";
import { alone, atLeastTimes, compared, type Figure, median, quantile } from "./figures";
import { inLanes, openClient } from "./load";
import { BARE, inTurns, requesting } from "./rates";

/** Calls under way at once where their time is measured. */
const AT_ONCE = 4;
/** Calls of a round where their time is measured. */
const TIMED = 500;
const GOAL_MS = 10;
/** Calls of a round that are each paid by a proof, all at once. */
const PAID = 200;
const SIGNERS = 16;
/** The service reserves memory for an answer as large as it may become. With the default, one pass has no room for all connections. */
const ANSWER_BYTES_MAX = 65_536;
const PATH = "/quotes/ETH";

const link = z.object({
  paymentLink: z.object({ upstream: z.object({ paidUrl: z.string(), pass: z.object({ url: z.string() }) }) }),
});
const bought = z.object({ pass: z.object({ token: z.string() }) });

/** An API, and a pass for calls of it that is never used up. */
export async function openPass(bench: Bench) {
  const { stack, client, vendor, buyer } = bench;
  const api = fork(`${import.meta.dirname}/upstream.cjs`, { execArgv: [] });
  const [port]: unknown[] = await once(api, "message");
  // Also when nobody closes it, this process can end, and the API with it.
  api.unref();
  api.channel?.unref();
  const url = `http://localhost:${port}`;
  const created = await vendor.call("POST", "/api/payment-links", {
    amount: `${PRICE}`,
    upstream: { url, answerBytesMax: ANSWER_BYTES_MAX, pass: { calls: PASS_CALLS_MAX, amount: `${PRICE}` } },
  });
  const { paidUrl, pass } = expectBody(created, 200, link, "/api/payment-links").paymentLink.upstream;
  const mandateId = await signedMandate(bench);
  const { response } = await buyer.tessera.pay(pass.url, {}, { maxAmount: `${PRICE}`, mandateId });
  const { token } = bought.parse(await response.json()).pass;
  const path = `${paidUrl.slice(stack.baseUrl.length)}${PATH}`;
  return {
    url,
    mandateId,
    callUrl: `${paidUrl}${PATH}`,
    /** Makes one call on the pass. */
    call: requesting(client, path, 200, { authorization: `Bearer ${token}` }),
    close: () => api.disconnect(),
  };
}

export async function passFigures(bench: Bench): Promise<Figure[]> {
  const { api, next, rounds, progress } = bench;
  progress("Buying a pass");
  const { url, mandateId, callUrl, call, close } = await openPass(bench);
  const direct = openClient(url, AT_ONCE);
  const ask = requesting(direct, PATH, 200);
  const times = { ours: [] as number[], direct: [] as number[] };
  try {
    progress("Calls on a pass");
    const [bare = 0, onPass = 0] = await inTurns(bench, [requesting(next, "/healthz", 200), call]);
    for (let round = 1; round <= rounds; round++) {
      progress(`Calls on a pass, ${AT_ONCE} at once, round ${round} of ${rounds}`);
      times.ours.push(...(await timesOf(call)));
      times.direct.push(...(await timesOf(ask)));
    }
    const calls = { what: "paid calls", offer: await fetchRequirement(api, "Buyer", callUrl), rates: [] as number[] };
    const payments = { what: "payments without a call", offer: await priceOf(bench), rates: [] as number[] };
    for (let round = 1; round <= rounds; round++) {
      for (const { what, offer, rates } of [calls, payments]) {
        progress(`${PAID} ${what} at once, round ${round} of ${rounds}`);
        rates.push(await paidPerSecond(bench, mandateId, offer));
      }
    }
    const [ours, theirs] = [quantile(times.ours, 0.99), quantile(times.direct, 0.99)];
    const what = `a call on a pass, ${AT_ONCE} at once, p99`;
    return [
      compared("calls on a pass", [onPass, bare], { unit: "/s", is: BARE, goal: atLeastTimes(2) }),
      compared(what, [ours, theirs], { unit: "ms", is: "its API asked directly" }),
      alone(`${what}, above that of its API`, ours - theirs, { unit: "ms", goal: { atMost: GOAL_MS } }),
      compared(`calls paid one by one, ${PAID} at once`, [median(calls.rates), median(payments.rates)], {
        unit: "/s",
        is: "payments at the same agent's address",
        goal: atLeastTimes(0.9),
      }),
    ];
  } finally {
    direct.close();
    close();
  }
}

/** Signs PAID proofs for an offer, presents them all at once, and returns how many a second were answered. Throws if one was not. */
async function paidPerSecond(bench: Bench, mandateId: string, offer: Requirement): Promise<number> {
  const proofs = await inLanes(Array.from({ length: PAID }), SIGNERS, () => signV3(bench, mandateId, offer));
  const client = openClient(bench.stack.baseUrl, PAID);
  const path = offer.resource.slice(bench.stack.baseUrl.length);
  const began = performance.now();
  try {
    await inLanes(proofs, PAID, (proof) => requesting(client, path, 200, { "x-payment": proof })());
  } finally {
    client.close();
  }
  return PAID / ((performance.now() - began) / 1_000);
}

/** How many milliseconds each of some calls takes. */
const timesOf = (call: () => Promise<void>): Promise<number[]> =>
  inLanes(Array.from({ length: TIMED }), AT_ONCE, async () => {
    const began = performance.now();
    await call();
    return performance.now() - began;
  });
