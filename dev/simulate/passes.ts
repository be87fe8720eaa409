import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { BUSY_MARGIN_SECONDS } from "@/lib/links/upstream/limits";
import type { Failpoint } from "@/lib/platform/failpoint";
import type { Answer } from "../actors/api";
import { SECONDS_MAX, type Seller } from "./cast";
import { apiOf, type Game, indexOf, orNull, pathName, payerOf, present, sellerOf, signProof, type Turn } from "./game";
import { type PassMemory, type Proof, saidIn } from "./memory";
import { addressOf } from "./strangers";
import { dyingAt } from "./trouble";
import { pathOf } from "./upstream";
import type { World } from "./world";

/** How often a buyer asks for a pass before the faults end. */
const TRIES = 6;
const PAUSE_MS = 40;
/** A rush on a pass: this many times its calls at once. */
const RUSH = 3;
/** More than come back to a pass of one call. */
const FAILURES = 12;
/** How often an owner approves a refund until its payment is final, and requests one until no call is answered before its approval. */
const APPROVALS = 10;
const REQUESTS = 3;
const FINAL_MS = 100;
/** Between calls during an approval, and by how much they vary. */
const CALL_MS = 15;
const CALLING_MS = 80;
/** A call whose process has died is under way for this long. */
export const DEAD_SECONDS = SECONDS_MAX + BUSY_MARGIN_SECONDS + 2;
/** Limit of real time for the job that ends such calls. */
const ENDED_MS = 20_000;
const OFTEN_MS = 25;
/** Calls that may take too long on a slow machine when a buyer uses what is left. */
const SPARE = 5;

const tokenAnswer = z.union([
  z.object({ pass: z.object({ token: z.string() }) }).transform(({ pass }) => pass.token),
  z.object({ token: z.string() }).transform(({ token }) => token),
]);
const refundAnswer = z.object({ refund: z.object({ refundId: z.string() }) });
const soldPass = z.object({
  settlementId: z.string(),
  paymentId: z.number(),
  status: z.string(),
  callsLeft: z.number(),
  callsUnderWay: z.number(),
  callsFailed: z.number(),
  unusedAmount: z.string(),
});
/** What the list of a seller says about a pass. */
export type SoldPass = z.output<typeof soldPass>;
const listAnswer = z.object({ passes: z.array(soldPass) });

/** The seller's view of a pass; null if it is not listed, or the list did not arrive. */
export async function listedPass({ agent }: Seller, { linkId }: PassMemory): Promise<SoldPass | null> {
  const listed = await orNull(agent.call("GET", `/api/payment-links/${linkId}/passes`));
  // A link is sold by one step, and each step buys one pass.
  return listAnswer.safeParse(listed?.body).data?.passes[0] ?? null;
}

/** The memories whose payment is settled now. */
export async function settledOf<M extends { proof: Proof }>({ sql }: World, memories: readonly M[]): Promise<M[]> {
  const nonces = memories.map(({ proof }) => proof.authorization.nonce);
  const rows = await sql`select nonce from settlements where state = 'settled' and nonce in ${sql(["", ...nonces])}`;
  const settled = new Set(rows.map(({ nonce }) => nonce));
  return memories.filter(({ proof }) => settled.has(proof.authorization.nonce));
}

/** Asks for the pass once. Returns whether it can be used. */
async function takePass(game: Game, pass: PassMemory): Promise<boolean> {
  const response = await present(game, pass.proof);
  pass.token = tokenAnswer.safeParse(response?.body).data ?? pass.token;
  return response?.status === 200;
}

/** Buys a pass; null if it cannot be used yet. */
async function buyPass(turn: Turn): Promise<PassMemory | null> {
  const { game, step } = turn;
  const { call, pass: offer } = apiOf(turn);
  const payer = payerOf(turn);
  const signing = { act: step.act, from: addressOf(payer), account: payer, offer, isHonest: true };
  const pass: PassMemory = {
    proof: signProof(turn, signing),
    linkId: offer.linkId ?? "",
    owner: indexOf(turn),
    paidUrl: call.url,
    calls: offer.calls,
    token: null,
    uses: [],
    refunds: [],
  };
  game.memory.passes.push(pass);
  for (let tries = 0; tries < TRIES; tries++) {
    if (await takePass(game, pass)) return pass;
    await sleep(PAUSE_MS);
  }
  return null;
}

/** Makes a call on a pass. `name`: its Idempotency-Key. */
async function use({ world }: Game, pass: PassMemory, path: string, name?: string): Promise<Answer | null> {
  const from = performance.now();
  const headers = { authorization: `Bearer ${pass.token}`, ...(name !== undefined && { "idempotency-key": name }) };
  const response = await orNull(world.api.call("pass", "GET", `${pass.paidUrl}${path}`, { headers }));
  pass.uses.push({ path, from, to: performance.now(), answer: response });
  return response;
}

/** More calls at once than a pass has, over both servers. The API fails for some of them. One server may die meanwhile. */
export async function rushPass(turn: Turn, failpoint?: Failpoint): Promise<void> {
  const { game } = turn;
  const pass = await buyPass(turn);
  if (!pass) return;
  const rush = () =>
    Promise.all(
      Array.from({ length: RUSH * pass.calls }, (_, index) =>
        use(game, pass, pathOf("fails", index % 4 === 0 ? 1 : 0, pathName(turn, `${index}`))),
      ),
    );
  if (failpoint === undefined) await rush();
  else await dyingAt(turn, failpoint, rush);
}

/** One call is tried again and again while the API fails. */
export async function wearPass(turn: Turn): Promise<void> {
  const pass = await buyPass(turn);
  if (!pass) return;
  const path = pathOf("fails", FAILURES, pathName(turn, NAMED));
  for (let tries = 0; tries < FAILURES; tries++) await use(turn.game, pass, path, NAMED);
}

/** In the path of a call with an Idempotency-Key. */
export const NAMED = "named";

/** The seller refunds what is unused while calls go on: before the approval, after it, or at the same time. */
export async function refundPass(turn: Turn): Promise<void> {
  const { game, step, random } = turn;
  const pass = await buyPass(turn);
  if (!pass) return;
  let calls = 0;
  const call = () => use(game, pass, pathOf("fails", 0, pathName(turn, `${calls++}`)));
  await call();
  const seller = sellerOf(turn);
  const refundId = await requestRefund(seller, pass);
  if (!refundId) return;
  // With a count of 2, no call is made before the approval. Otherwise one call is left for the refund.
  const during = step.count === 2 ? 0 : pass.calls - 2;
  const calling = Array.from({ length: during }, async (_, index) => {
    await sleep(CALL_MS * index + random.int(0, CALLING_MS));
    await call();
  });
  await Promise.all([payBack(game, seller, pass, refundId), ...calling]);
  await Promise.all([call(), call()]);
}

/** Requests a refund of what is unused. Returns its id; null if nothing is. */
async function requestRefund(seller: Seller, pass: PassMemory): Promise<string | null> {
  const listed = await listedPass(seller, pass);
  if (!listed) return null;
  const { paymentId, unusedAmount: amount } = listed;
  const response = await orNull(seller.owner.call("POST", "/api/refunds", { paymentId, amount }));
  return refundAnswer.safeParse(response?.body).data?.refund.refundId ?? null;
}

/** Approves a refund. If calls were answered since it was requested, it is rejected, and what is left is refunded. */
async function payBack(game: Game, seller: Seller, pass: PassMemory, requestedId: string): Promise<void> {
  let refundId: string | null = requestedId;
  for (let requests = 1; refundId && requests <= REQUESTS; requests++) {
    const replies = await approve(seller, pass, refundId);
    const isTooMuch = replies.some((response) => response && saidIn(response).code === "refund_exceeds_payment");
    if (!isTooMuch) return void game.memory.refunds.push({ refundId, owner: pass.owner, replies });
    const rejected = await orNull(seller.owner.call("POST", `/api/refunds/${refundId}/reject`));
    if (rejected?.status !== 200) return;
    refundId = await requestRefund(seller, pass);
  }
}

/** Approves a refund, again and again until its payment is final. */
async function approve({ owner }: Seller, { refunds }: PassMemory, refundId: string): Promise<(Answer | null)[]> {
  const replies: (Answer | null)[] = [];
  const refund = { refundId, askedAt: 0, approvedAt: null as number | null };
  refunds.push(refund);
  while (replies.length < APPROVALS) {
    refund.askedAt = performance.now();
    const response = await orNull(owner.call("POST", `/api/refunds/${refundId}/approve`));
    replies.push(response);
    if (response && response.status < 300) refund.approvedAt = performance.now();
    if (!response || saidIn(response).code !== "payment_not_final") break;
    await sleep(FINAL_MS);
  }
  return replies;
}

/** Buyers ask again for passes that they have paid and whose token never arrived. The faults have ended. */
export async function collectPasses(game: Game): Promise<void> {
  const missing = game.memory.passes.filter(({ token }) => token === null);
  if (missing.length === 0) return;
  for (const pass of await settledOf(game.world, missing)) await takePass(game, pass);
}

/** Waits until no call is under way, and uses what is left of each pass. Returns the passes with calls that do not end. */
export async function drainPasses(game: Game): Promise<string[]> {
  const { world, memory } = game;
  const passes = (await settledOf(world, memory.passes)).filter(({ token }) => token !== null);
  if (passes.length === 0) return [];
  const links = passes.map(({ linkId }) => linkId);
  const underWay = () => world.sql`select p.link_id from pass_calls c join passes p using (settlement_id)
    where p.link_id in ${world.sql(links)}`;
  if ((await underWay()).length > 0) await world.pass(DEAD_SECONDS);
  for (const deadline = performance.now() + ENDED_MS; performance.now() < deadline; await sleep(OFTEN_MS)) {
    if ((await underWay()).length === 0) break;
  }
  await Promise.all(
    passes.map(async (pass) => {
      const name = `${game.plan.seed}-${pass.linkId}`;
      for (let index = 0; index <= pass.calls + SPARE; index++) {
        const response = await use(game, pass, pathOf("fails", 0, `${name}-${index}`));
        if (response?.status === 402) return;
      }
    }),
  );
  const late = await underWay();
  return late.map(({ link_id }) => `still pending at the end: a call on the pass of ${link_id}`);
}
