import { readFileSync } from "node:fs";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { z } from "zod";
import { FAILURES_PER_CALL_MAX } from "@/lib/links/passes/limits";
import { TRIES_MAX } from "@/lib/links/upstream/limits";
import type { Facts } from "./chain";
import { keyName } from "./chain";
import { hasMoved, type Row } from "./facts";
import type { Game } from "./game";
import { type CallMemory, count, type Memory, type PassMemory, type Proof } from "./memory";
import { DEAD_SECONDS, listedPass, NAMED, type SoldPass } from "./passes";
import type { UpstreamRequest } from "./upstream";

const ANSWERED = "a paid call was answered";
const ANSWERED_LATER = "a paid call was answered after its API had failed";
const REFUSED_ELSEWHERE = "a proof of a paid call was refused at another path";
const USED_UP = "a call was refused on a pass that was used up";
const BACK = "a failed call came back to its pass";
const COUNTED = "a failed call was counted on its pass";
const REFUNDED = "a pass was refunded";
const ENDED = "a call was refused on a pass with a refund";
/** What must happen in a long enough run. */
export const CALL_ENDS: readonly string[] = [
  ANSWERED,
  ANSWERED_LATER,
  REFUSED_ELSEWHERE,
  USED_UP,
  BACK,
  COUNTED,
  REFUNDED,
  ENDED,
];

const claimsOf = z.object({
  sub: z.string(),
  payer: z.string(),
  linkId: z.string(),
  amount: z.string(),
  method: z.string(),
  path: z.string(),
  passCall: z.string().optional(),
});
export type Claims = z.output<typeof claimsOf>;
/** `claims`: null unless the service signed them for this API, at that time. */
export type AskedRequest = Omit<UpstreamRequest, "claims"> & { claims: Claims | null };

/** Compares what the sellers' API was asked with what buyers have paid for and got, and with what sellers read. */
export async function judgeCalls(game: Game, rows: readonly Row[], facts: Facts): Promise<string[]> {
  const { world, memory, cast } = game;
  const requests = await verified(game, world.upstream.take());
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = requests.flatMap((request) =>
    judgeRequest(request, byId.get(request.claims?.sub ?? ""), facts, memory),
  );
  for (const call of memory.calls) {
    for (const name of endsOfCall(call)) count(memory.counts, name);
    const row = rowOf(call.proof, rows);
    const own = requests.filter(({ claims }) => row !== undefined && claims?.sub === row.id);
    found.push(...judgeCall(call, row, own, () => linesAbout(game, "upstream.answer_not_kept", row)));
  }
  for (const pass of memory.passes) {
    for (const name of endsOfPass(pass)) count(memory.counts, name);
    const row = rowOf(pass.proof, rows);
    const seller = cast.sellers[pass.owner];
    if (!seller || row?.state !== "settled" || pass.token === null) {
      found.push(...judgeUnpaid(pass, row, memory));
      continue;
    }
    const listed = await listedPass(seller, pass);
    if (!listed) {
      found.push(`${nameOf(pass.proof)} has paid a pass, and its seller's list has none`);
      continue;
    }
    const refunded = await world.sql<
      { refund_id: string; amount: string }[]
    >`select r.refund_id, t.amount::text from refunds r join settlements t on t.id = r.settlement_id
      where r.payment_id = ${listed.paymentId} and t.state = 'settled'`;
    const truth = {
      requests: requests.filter(({ claims }) => claims?.sub === row.id),
      price: BigInt(row.amount),
      refunded: new Map(refunded.map(({ refund_id, amount }) => [refund_id, BigInt(amount)])),
      unstored: linesAbout(game, "pass.call_not_ended", row),
    };
    if (refunded.length > 0) count(memory.counts, REFUNDED);
    found.push(...judgePass(pass, listed, truth));
  }
  return found;
}

const nameOf = ({ act, key }: Proof) => `${act} (${key.slice(0, 42)})`;
const rowOf = ({ key }: Proof, rows: readonly Row[]): Row | undefined =>
  rows.find((row) => keyName(row.payer, row.nonce) === key);

/** How often the servers logged this event about a settlement: an end that could not be stored. Only a cut connection does that. */
function linesAbout({ world, memory }: Game, event: string, row: Row | undefined): number {
  if (!row || !memory.isDisturbed) return 0;
  return readFileSync(world.logFile, "utf8")
    .split("\n")
    .filter((line) => line.includes(event) && line.includes(row.id)).length;
}

async function verified({ world }: Game, requests: readonly UpstreamRequest[]): Promise<AskedRequest[]> {
  if (requests.length === 0) return [];
  const published = await world.api.call("seller", "GET", "/.well-known/jwks.json");
  const keys = createLocalJWKSet(published.body as JSONWebKeySet);
  const terms = { issuer: world.baseUrl, audience: world.upstream.url, typ: "paid-request+jwt" };
  return Promise.all(
    requests.map(async (request) => {
      const signed = await jwtVerify(request.claims, keys, { ...terms, currentDate: new Date(request.at) }).catch(
        () => null,
      );
      return { ...request, claims: claimsOf.safeParse(signed?.payload).data ?? null };
    }),
  );
}

/** The API is asked only for what was paid, and told what. `row`: the payment that the request names. */
export function judgeRequest(
  { claims, key, method, path }: AskedRequest,
  row: Row | undefined,
  { byKey }: Pick<Facts, "byKey">,
  { undone }: Pick<Memory, "undone">,
): string[] {
  const name = `a request to an API (${path}, ${key})`;
  if (!claims) return [`${name} has no claims that are signed for it`];
  if (row?.purpose !== "link") return [`${name} names ${claims.sub}, which paid for no call`];
  const payment = keyName(row.payer, row.nonce);
  const isPaid = hasMoved(byKey.get(payment), row.payee, BigInt(row.amount)) || undone.has(payment);
  const said = [claims.linkId, claims.payer.toLowerCase(), claims.amount, claims.method, claims.path];
  const meant = [row.subject, row.payer.toLowerCase(), row.amount, method, path];
  return [
    ...(isPaid ? [] : [`${name} names ${claims.sub} of ${row.payer}, and the chain shows no such transfer`]),
    ...(said.join() === meant.join() ? [] : [`${name} says ${said}, and it is ${meant}`]),
    ...(claims.passCall === undefined && key !== row.id ? [`${name} has not the key of its payment ${row.id}`] : []),
    ...(claims.passCall !== undefined && key !== claims.passCall ? [`${name} says the call ${claims.passCall}`] : []),
  ];
}

/** Checks the responses about a paid call. `countUnkept`: how many of its answers could not be stored. */
export function judgeCall(
  { proof, replies }: CallMemory,
  row: Row | undefined,
  requests: readonly AskedRequest[],
  countUnkept: () => number,
): string[] {
  const name = nameOf(proof);
  const lies: string[] = [];
  const delivered = replies.flatMap(({ url, answer }) =>
    answer?.status === 200 ? [{ url, request: requests.find((request) => request.answer === answer.text) }] : [],
  );
  for (const { url, request } of delivered) {
    if (!request) lies.push(`${name} got an answer that the API has not given to its payment`);
    else if (!url.endsWith(request.path)) lies.push(`${name} got the answer of ${request.path} at ${url}`);
  }
  const answers = new Set(delivered.flatMap(({ request }) => request ?? []));
  const times = [...answers].map(({ at }) => at);
  // A try that counts as dead by the servers' clocks may still be answered.
  const isOneTry = Math.max(...times) - Math.min(...times) < DEAD_SECONDS * 1_000;
  if (answers.size > 1 && isOneTry && countUnkept() === 0) lies.push(`${name} got ${answers.size} different answers`);
  if (new Set(requests.map(({ path }) => path)).size > 1) lies.push(`${name} asked the API for more than one path`);
  if (requests.length > TRIES_MAX) lies.push(`${name} asked the API ${requests.length} times`);
  if (row?.state === "settled" && delivered.length === 0)
    lies.push(`${name} has paid, and was never answered, although its API works`);
  return lies;
}

/** A pass whose payment has not settled, or whose token never arrived. */
function judgeUnpaid({ proof, token, uses }: PassMemory, row: Row | undefined, { undone }: Memory): string[] {
  const name = nameOf(proof);
  const served = uses.filter(({ answer }) => answer?.status === 200).length;
  if (row?.state === "settled" && token === null) return [`${name} has paid a pass, and never got its token`];
  return served > 0 && !undone.has(proof.key) ? [`${name} has not paid its pass, and got ${served} answers`] : [];
}

const refusalOf = z.object({ code: z.string() });
const failureOf = z.object({ code: z.literal("UPSTREAM_FAILED"), callEnd: z.string() });
type Use = PassMemory["uses"][number];
const isServed = ({ answer }: Use) => answer?.status === 200;
/** How the pass says that a failed call ended; null if the call did not fail. */
const callEndOf = ({ answer }: Use) => failureOf.safeParse(answer?.body).data?.callEnd ?? null;
const isRefused = ({ answer }: Use, code: string) => refusalOf.safeParse(answer?.body).data?.code === code;

export type PassTruth = {
  /** What the API was asked on this pass. */
  requests: readonly AskedRequest[];
  price: bigint;
  /** What the settled refunds of its payment have given back. Owners also refund sales without a look at the pass. */
  refunded: ReadonlyMap<string, bigint>;
  /** Ends of calls that could not be stored: an answer may then be free. */
  unstored: number;
};

/**
 * Compares what its buyer got on a pass with what the seller reads about it. Nothing is under way any more, and the buyer has used what was
 * left.
 */
export function judgePass(pass: PassMemory, listed: SoldPass, truth: PassTruth): string[] {
  const { proof, calls, uses } = pass;
  const { requests, price, refunded, unstored } = truth;
  const name = `${nameOf(proof)}, a pass of ${calls} calls,`;
  const served = uses.filter(isServed).length;
  const lost = uses.filter(({ answer }) => answer === null).length;
  const refusals = uses.filter(({ answer }) => answer?.status === 402).length;
  const backMax = calls * FAILURES_PER_CALL_MAX;
  const failedAndCounted = Math.max(0, listed.callsFailed - backMax);
  const counted = calls - listed.callsLeft - failedAndCounted;
  const answeredByApi = requests.filter(({ answer }) => answer !== null).length;
  const lies: string[] = [];
  const report = (isLie: boolean, text: string) => void (isLie && lies.push(`${name} ${text}`));
  report(served > calls + unstored, `was answered ${served} times`);
  report(counted < served - unstored, `counts ${counted} answers, and its buyer got ${served}`);
  report(counted > served + lost, `counts ${counted} answers, and its buyer got ${served} and lost at most ${lost}`);
  report(counted > answeredByApi, `counts ${counted} answers, and the API gave ${answeredByApi}`);
  const failuresMax = uses.length - served - refusals + unstored;
  const { callsFailed } = listed;
  report(callsFailed > failuresMax, `counts ${callsFailed} failures, and at most ${failuresMax} calls failed`);
  report(requests.length > calls + backMax, `asked the API ${requests.length} times`);
  report(listed.callsUnderWay > 0, `has ${listed.callsUnderWay} calls under way after everything has ended`);
  const status = refunded.size > 0 ? "refunded" : "used_up";
  report(listed.status !== status, `is ${listed.status} after its buyer has used what was left, and not ${status}`);
  const unused = refunded.size > 0 ? 0n : (price * BigInt(calls - counted)) / BigInt(calls);
  report(listed.unusedAmount !== `${unused}`, `has ${listed.unusedAmount} unused, and not ${unused} of ${price}`);
  return [...lies, ...liesInUses(name, uses, requests), ...liesAboutRefunds(name, pass, truth)];
}

/** Statuses of a call on a pass whose seller sells single calls too. */
const STATUSES = new Set([200, 402, 429, 503]);

function liesInUses(name: string, uses: readonly Use[], requests: readonly AskedRequest[]): string[] {
  const lies = uses.flatMap(({ path, answer }) => {
    if (!answer) return [];
    if (!STATUSES.has(answer.status))
      return [`${name} was answered ${answer.status} ${answer.text.slice(0, 120)}, an undocumented response`];
    const isItsOwn = requests.some((request) => request.answer === answer.text && request.path === path);
    return answer.status === 200 && !isItsOwn
      ? [`${name} got at ${path} an answer that the API has not given to it: ${answer.text.slice(0, 120)}`]
      : [];
  });
  const texts = uses.filter(isServed).map(({ answer }) => answer?.text);
  if (new Set(texts).size < texts.length) lies.push(`${name} got one answer for two calls`);
  const [named, unnamed] = [true, false].map((isNamed) =>
    requests.filter(({ path }) => path.endsWith(NAMED) === isNamed).map(({ key }) => key),
  );
  if (new Set(named).size > 1) lies.push(`${name} gave tries of one call different keys`);
  if (new Set(unnamed).size < (unnamed?.length ?? 0)) lies.push(`${name} gave two calls the same key`);
  return lies;
}

/** A refund gives back nothing for what was answered before its approval, and ends the pass from then on. */
function liesAboutRefunds(
  name: string,
  { uses, refunds, calls }: PassMemory,
  { price, refunded, unstored }: PassTruth,
): string[] {
  const total = [...refunded.values()].reduce((sum, amount) => sum + amount, 0n);
  return refunds
    .filter(({ refundId }) => refunded.has(refundId))
    .flatMap(({ askedAt, approvedAt }) => {
      const answeredBefore = uses.filter((each) => isServed(each) && each.to < askedAt).length - unstored;
      const most = (price * BigInt(calls - Math.max(0, answeredBefore))) / BigInt(calls);
      const late = uses.filter(
        (each) => approvedAt !== null && each.from > approvedAt && (isServed(each) || callEndOf(each) !== null),
      );
      return [
        ...(total > most ? [`${name} was refunded ${total}, and ${answeredBefore} calls were answered before`] : []),
        ...(late.length > 0 ? [`${name} admitted ${late.length} calls after the approval of its refund`] : []),
      ];
    });
}

function endsOfCall({ replies }: CallMemory): string[] {
  const statuses = replies.map(({ answer }) => answer?.status);
  const answered = statuses.indexOf(200);
  if (answered < 0) return [];
  const url = replies[answered]?.url;
  const isElsewhere = replies.some((reply) => reply.url !== url && reply.answer?.status === 409);
  return [
    ANSWERED,
    ...(statuses.slice(0, answered).includes(503) ? [ANSWERED_LATER] : []),
    ...(isElsewhere ? [REFUSED_ELSEWHERE] : []),
  ];
}

const endsOfPass = ({ uses }: PassMemory): string[] =>
  uses.flatMap((each) => {
    const callEnd = callEndOf(each);
    if (callEnd === "back" || callEnd === "blocked") return [BACK];
    if (callEnd === "counted") return [COUNTED];
    if (isRefused(each, "PASS_USED_UP")) return [USED_UP];
    return isRefused(each, "PASS_HELD") || isRefused(each, "PASS_REFUNDED") ? [ENDED] : [];
  });
