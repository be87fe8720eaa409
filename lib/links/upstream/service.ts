import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import type { AppError } from "@/lib/core/errors";
import type { AgentId, LinkId, SettlementId } from "@/lib/core/ids";
import { addSeconds, retryAfterSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { type Agent, type Ctx, type Owner, type System, UNKNOWN_CALLER } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { takeTurn } from "@/lib/platform/limiter";
import type { Send } from "@/lib/platform/outbound";
import { connectionsOf, sendFor } from "@/lib/platform/outbound-guard";
import { keysFor } from "@/lib/platform/secrets";
import type { SaleOffer, Settlement } from "@/lib/settlements/service";
import type { Discovery } from "@/lib/x402/discovery";
import type { Requirement } from "@/lib/x402/requirement";
import { checkout, toOffered } from "../checkout/service";
import { closedBecause } from "../closed";
import { linkErrors } from "../errors";
import type { Link } from "../rules";
import * as links from "../store";
import { paidUrl } from "../urls";
import { createBody } from "./body";
import { secretHeaders } from "./columns";
import { type Ended, forward, type UpstreamAnswer } from "./forward";
import {
  BUSY_MARGIN_SECONDS,
  BUSY_WAIT_SECONDS,
  ENDED_UPSTREAM_SECONDS,
  FIGURES_DAYS,
  KEPT_ANSWER_BYTES_MAX,
  REPEAT_SECONDS,
  TRIES_MAX,
} from "./limits";
import { roomOf, type Seat } from "./room";
import {
  type CallAddress,
  fingerprintOf,
  isLimit,
  isTemplate,
  offeredPath,
  type PaidMethod,
  type PaidRequest,
  quote,
  type SoldPath,
  type Upstream,
  type UpstreamFailure,
  variableOf,
  waitSecondsAfter,
} from "./rules";
import * as store from "./store";
import { toToolRequest } from "./tools/rules";
import { assertTool } from "./tools/service";

const sealedForCall = (settlementId: SettlementId) => `call:${settlementId}`;

export { paidRequestClaims } from "./claims";
export type { Seat } from "./room";
export { type CallAddress, EVERY_PATH, forwardedHeaders, type PaidRequest, type UpstreamKind } from "./rules";
export type { CallFigures, UpstreamCall } from "./store";
export type SoldCall = { link: Link; offer: SaleOffer };
/** A link that sells an API. */
export type ApiLink = Link & { upstream: NonNullable<Link["upstream"]> };

/**
 * The payment requirement of one request to a link's upstream; `closed` when it cannot be paid now. `isPaying`: with a proof or a pass; a
 * path whose variable is not filled in has a price and takes neither. Throws LINK_NOT_FOUND, WALLET_NOT_LINKED, PATH_NOT_OFFERED,
 * METHOD_NOT_OFFERED and, for a tool of an MCP server, unavailable, CALLS_FULL and rate_limited.
 */
export async function offerCall(ctx: Ctx, linkId: LinkId, address: CallAddress, isPaying: boolean): Promise<SoldCall> {
  const { link, uses, payee } = await checkout(ctx, linkId);
  if (!link.upstream) throw linkErrors.LINK_NOT_FOUND();
  const { methods, paths } = link.upstream;
  const offered = quote(link.upstream, link.amount, address);
  const isNotSold =
    offered.type === "path_not_offered" ||
    (offered.type === "offered" && isPaying && isTemplate(offered.path, address.path));
  if (isNotSold) throw linkErrors.PATH_NOT_OFFERED({ paths: paths.map(({ path }) => path) });
  if (offered.type === "method_not_offered") throw linkErrors.METHOD_NOT_OFFERED({ methods });
  if (!payee) throw linkErrors.WALLET_NOT_LINKED({ authorizationUrl: addAgentUrl(ctx.config.baseUrl, link) });
  const closed = closedBecause(link, uses, ctx.now());
  if (closed === null && link.upstream.kind === "mcp")
    await assertTool(ctx, { ...link, upstream: link.upstream }, address.path);
  const { amount, path: soldPath } = offered;
  return soldCall(ctx, link, payee, { ...address, amount, soldPath, closed });
}

/**
 * The link as a buyer of calls sees it. Throws LINK_NOT_FOUND, also for a link that sells something else, WALLET_NOT_LINKED, LINK_DISABLED,
 * LINK_EXPIRED and LINK_SOLD_OUT.
 */
export async function openApiLink(system: System, linkId: LinkId): Promise<ApiLink> {
  const { link, uses, payee } = await checkout(system, linkId);
  const { upstream } = link;
  if (!upstream) throw linkErrors.LINK_NOT_FOUND();
  if (!payee) throw linkErrors.WALLET_NOT_LINKED({ authorizationUrl: addAgentUrl(system.config.baseUrl, link) });
  const closed = closedBecause(link, uses, system.now());
  if (closed) throw closed;
  return { ...link, upstream };
}

/**
 * An offer that is closed with `error`, for proofs that paid before: what was bought is delivered, although the seller has deleted the
 * link, its upstream or the agent, or no longer sells the path. Null if the link never was.
 */
export async function offerEnded(
  system: System,
  linkId: LinkId,
  address: CallAddress,
  error: AppError,
): Promise<SoldCall | null> {
  const link = await links.findEver(system.db, linkId);
  if (!link) return null;
  const { ownerId, network } = link;
  // Nobody is paid for a closed offer, but it has to name an address.
  const payee = { ownerId, address: await agents.spendingAddressOf(system, ownerId, network) };
  const sold = link.upstream ? link : { ...link, ...(await store.findEnded(system.db, linkId)) };
  return soldCall(system, sold, payee, { ...address, amount: link.amount, closed: error });
}

function soldCall(
  system: System,
  link: Link,
  payee: Pick<agents.Receiver, "address" | "ownerId">,
  { closed, ...call }: OfferedCall & Pick<SaleOffer, "closed">,
): SoldCall {
  return {
    link,
    offer: {
      purpose: "link",
      subject: link.linkId,
      agentId: link.agentId,
      ownerId: payee.ownerId,
      requirement: requirementOf(system, toOffered(link), payee.address, call),
      // What a buyer asked for is not for receipts.
      recordedResource: paidUrl(system.config.baseUrl, link.linkId, call.path),
      closed: closed ?? null,
    },
  };
}

/** `soldPath`: the one that the seller names; absent where the link no longer sells it. */
type OfferedCall = CallAddress & Pick<Link, "amount"> & { soldPath?: string };

/** The payment requirement of a call. Only calls of listed links are described for crawlers. */
const requirementOf = (
  { config }: System,
  { linkId, network, description, isListed }: Pick<Link, "linkId" | "network" | "description" | "isListed">,
  payTo: Address,
  { method, path, search, amount, soldPath }: OfferedCall,
): Requirement => ({
  network,
  amount,
  payTo,
  resource: `${paidUrl(config.baseUrl, linkId, path)}${search}`,
  isResourceBound: true,
  description,
  ...(isListed && soldPath !== undefined && { discovery: discoveryOf(linkId, method, soldPath) }),
});

/** The API's queries, bodies and answers are not known. */
function discoveryOf(linkId: LinkId, method: PaidMethod, soldPath: string): Discovery {
  const variable = variableOf(soldPath);
  const template = variable === null ? null : soldPath.replace(`{${variable}}`, `:${variable}`);
  return {
    method,
    input: { example: {}, schema: {} },
    isListed: true,
    ...(template !== null && { routeTemplate: `/paid/${linkId}${template}` }),
  };
}

/** The requirement of one path in the directory. A path with a variable is not filled in. */
export function listedRequirement(
  system: System,
  { methods, path, amount, ...link }: ListedCalls,
  payTo: Address,
): Requirement {
  const method = methods.find((name) => name === "GET") ?? methods[0] ?? "GET";
  return requirementOf(system, link, payTo, { method, path, search: "", amount, soldPath: path });
}

type ListedCalls = SoldPath & Pick<Upstream, "methods"> & Pick<Link, "linkId" | "network" | "description" | "isListed">;

/** A request as it is sold and compared. Throws invalid_json for a call of a tool. */
export const toBought = ({ upstream }: Pick<Link, "upstream">, request: PaidRequest): PaidRequest =>
  upstream?.kind === "mcp" ? toToolRequest(request) : request;

/** A place for one call, which holds nothing yet. The caller has to leave it, unless `deliver` answers. */
export const takeSeat = (
  ctx: Ctx,
  { ownerId, agentId }: Pick<SaleOffer, "ownerId" | "agentId">,
  pass?: SettlementId,
): Seat => roomOf(ctx).seat({ buyer: ctx.caller ?? UNKNOWN_CALLER, seller: ownerId ?? agentId ?? "", pass });

/** Whether there is room for the answer of the link's upstream, or one that was kept. */
export const hasRoom = (seat: Seat, { upstream }: Pick<Link, "upstream">): boolean =>
  seat.hold("answers", Math.max(upstream?.answerBytesMax ?? 0, KEPT_ANSWER_BYTES_MAX));

/** Throws CALLS_FULL. */
export function assertRoom(seat: Seat, link: Pick<Link, "upstream">): void {
  if (!hasRoom(seat, link)) throw linkErrors.CALLS_FULL();
}

/** While a body arrives: what was only announced costs its sender nothing. Throws CALLS_FULL. */
export function assertBodyRoom(seat: Seat, bytes: number): void {
  if (!seat.hold("requests", bytes)) throw linkErrors.CALLS_FULL();
}

/** A key for each client address, so that the table has none. */
export const hashOfCaller = async (ctx: Ctx): Promise<string> =>
  (await keysFor(ctx, "caller of a paid request"))(ctx.caller ?? UNKNOWN_CALLER);

/** Returns a function that records the request in its claim's transaction. */
export async function callRecorder(
  ctx: Ctx,
  { linkId, upstream, amount }: Link,
  request: PaidRequest,
): Promise<(tx: Tx, settlementId: SettlementId) => Promise<void>> {
  const { method, path } = request;
  const callerHash = await hashOfCaller(ctx);
  const pattern = (upstream && offeredPath(upstream, amount, path))?.path ?? path;
  const row = { linkId, method, path, pattern, fingerprint: fingerprintOf(request), callerHash, createdAt: ctx.now() };
  return (tx, settlementId) => store.add(tx, { ...row, settlementId });
}

/** Whether an earlier payment bought exactly this request at this link. */
export async function isSameCall(
  { db }: System,
  linkId: LinkId,
  request: PaidRequest,
  settlementId: SettlementId,
): Promise<boolean> {
  const call = await store.find(db, settlementId);
  return call?.linkId === linkId && call.fingerprint === fingerprintOf(request);
}

/** Whether the sender of a used proof may be its buyer: anybody can read the proof on the chain, but not from the buyer's address. */
export async function isFromSameCaller(ctx: Ctx, settlementId: SettlementId): Promise<boolean> {
  // All clients without a valid address count as one.
  if ((ctx.caller ?? UNKNOWN_CALLER) === UNKNOWN_CALLER) return false;
  const call = await store.find(ctx.db, settlementId);
  return call?.callerHash === (await hashOfCaller(ctx));
}

/**
 * `busy`: another request with the same proof is at the upstream, or this server has no room or ends. `gone`: the link's upstream was
 * removed and is no longer kept.
 */
export type CallFailure = UpstreamFailure | "busy" | "gone";
export type Answered = {
  type: "answered";
  answer: Omit<UpstreamAnswer, "bytes"> & { body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null };
};
export type Delivery =
  | Answered
  /**
   * `next`: null an hour after the payment, or after the last try. `answeredAt`: when the buyer got an answer that is no longer kept, with a
   * `failure` up to a limit of the link.
   */
  | {
      type: "failed";
      failure: CallFailure | null;
      next: { until: Date; waitSeconds: number } | null;
      answeredAt?: Date | null;
    };

/**
 * Delivers what a settled payment bought: the kept answer, or a request to the upstream. One request runs at a time for each payment, at
 * most ten in all, within an hour after it settled. The seat is left when the buyer has the answer, and stays the caller's after a failure.
 */
export async function deliver(
  system: System,
  settlement: Settlement,
  link: Link,
  request: PaidRequest,
  seat: Seat,
  sign: (audience: string) => Promise<string>,
): Promise<Delivery> {
  const { db, vault } = system;
  const isSeated = hasRoom(seat, link);
  const call = await store.find(db, settlement.id);
  if (!call) throw new Error(`${settlement.id} is no call of an upstream`);
  const repeatUntil = addSeconds(settlement.endedAt ?? call.createdAt, REPEAT_SECONDS);
  const { failure, answeredAt } = call;
  if (repeatUntil < system.now()) return { type: "failed", failure, next: null, answeredAt };
  if (!isSeated) return busy(repeatUntil);
  const kept = await keptAnswer(system, settlement.id);
  if (kept) return handOver(kept, seat);
  const { upstream } = link;
  if (!upstream) return { type: "failed", failure: "gone", next: null };
  const headers = {
    secrets: secretHeaders({ vault }, link),
    own: {
      "idempotency-key": settlement.id,
      "tessera-payment": await sign(new URL(upstream.url).origin),
      "user-agent": `Tessera (+${system.config.baseUrl})`,
    },
  };
  const time = system.now();
  const busyUntil = addSeconds(time, upstream.secondsMax + BUSY_MARGIN_SECONDS);
  const started = await store.startTry(db, settlement.id, { time, busyUntil });
  if (!started) return whyNoTry(system, settlement.id, seat, { time, repeatUntil });
  await failpoint("upstream.started");
  const before = performance.now();
  const send = sendOf(system, link.linkId, upstream);
  const forwarded = await forward(send, upstream, request, headers, seat.closing);
  const keep = async (ended: Ended, wasTaken = false): Promise<void> => {
    await failpoint("upstream.answered");
    const milliseconds = Math.round(performance.now() - before);
    const wasCut = ended.type === "failed" && seat.closing.aborted;
    const end = wasCut ? CUT : await endOf(system, call, ended, wasTaken);
    await store.endTry(db, settlement.id, busyUntil, { milliseconds, ...end });
  };
  // The buyer has the answer all the same. If the end is lost, the try ends at its `busyUntil`.
  const logLoss = (err: unknown) => system.log.error({ settlementId: settlement.id, err }, "upstream.answer_not_kept");
  switch (forwarded.type) {
    case "streaming": {
      const { head, body, end } = forwarded;
      seat.hold("requests", 0);
      const keeping = end.then((ended) => keep(ended, body.wasTaken())).catch(logLoss);
      void Promise.all([keeping, body.over]).then(seat.leave);
      return { type: "answered", answer: { ...head, body: body.stream } };
    }
    case "answered":
      await keep(forwarded).catch(logLoss);
      return handOver(forwarded.answer, seat);
    case "failed": {
      await keep(forwarded).catch(logLoss);
      const { triesStarted } = started;
      if (seat.closing.aborted && triesStarted < TRIES_MAX) return busy(repeatUntil);
      const askedSeconds = retryAfterSeconds(forwarded.retryAfter ?? null, system.now());
      const next = nextTry(triesStarted, { time: system.now(), repeatUntil, askedSeconds });
      return { type: "failed", failure: forwarded.failure, next };
    }
    default:
      return forwarded satisfies never;
  }
}

/** For requests to the link's upstream, which share connections that no other link uses. */
export const sendOf = (system: System, linkId: LinkId, { answerBytesMax }: Pick<Upstream, "answerBytesMax">): Send =>
  sendFor(system, { replyBytesMax: answerBytesMax, connections: connectionsOf(system, linkId) });

/** The end of a try that this process broke off because it ends itself: not the upstream's failure. */
const CUT = { failure: null, status: null, answeredAt: null, sealedAnswer: null };

/** An answer of at most this many bytes counts for no memory while its buyer reads it: responses of the service itself count for none. */
const SMALL_ANSWER_BYTES_MAX = 16_384;

/** The answer for a buyer who reads it. Its seat is left when they have it. */
export function handOver({ bytes, status, headers }: UpstreamAnswer, seat: Seat): Answered {
  seat.hold("requests", 0);
  seat.hold("answers", bytes.length);
  if (status === 204 || status === 205) {
    seat.leave();
    return { type: "answered", answer: { status, headers, body: null } };
  }
  if (bytes.length <= SMALL_ANSWER_BYTES_MAX) {
    seat.leave();
    return { type: "answered", answer: { status, headers, body: new Uint8Array(bytes) } };
  }
  const body = createBody();
  body.arrive(bytes);
  body.end();
  void body.over.then(seat.leave);
  const length = { "content-length": String(bytes.length) };
  return { type: "answered", answer: { status, headers: { ...headers, ...length }, body: body.stream } };
}

const busy = (until: Date): Delivery => ({
  type: "failed",
  failure: "busy",
  next: { until, waitSeconds: BUSY_WAIT_SECONDS },
});

/** Until when and after how long the buyer has another try; null after the last one. */
function nextTry(
  triesStarted: number,
  { time, repeatUntil, askedSeconds = 0 }: { time: Date; repeatUntil: Date; askedSeconds?: number },
) {
  if (triesStarted >= TRIES_MAX) return null;
  const leftSeconds = (repeatUntil.getTime() - time.getTime()) / 1_000;
  return { until: repeatUntil, waitSeconds: waitSecondsAfter(triesStarted, { askedSeconds, leftSeconds }) };
}

/** Why no try was started. */
async function whyNoTry(
  system: System,
  settlementId: SettlementId,
  seat: Seat,
  { time, repeatUntil }: { time: Date; repeatUntil: Date },
): Promise<Delivery> {
  const call = await store.find(system.db, settlementId);
  // After the call, which an answer that is stored meanwhile must not make look unanswered.
  const kept = await keptAnswer(system, settlementId);
  if (kept) return handOver(kept, seat);
  if (call?.busyUntil && call.busyUntil >= time) return busy(repeatUntil);
  // Another try may have failed since.
  const next = call && !store.endedAtLimit(call) ? nextTry(call.triesStarted, { time, repeatUntil }) : null;
  return { type: "failed", failure: call?.failure ?? null, next, answeredAt: call?.answeredAt ?? null };
}

/** `wasTaken`: whether the buyer has what had arrived of an answer that broke off. */
async function endOf(system: System, { settlementId, linkId }: store.UpstreamCall, ended: Ended, wasTaken: boolean) {
  if (ended.type === "failed") {
    const { failure, status } = ended;
    // Otherwise each of ten tries would stream all of it again.
    const isAnswered = wasTaken && isLimit(failure);
    return { failure, status, answeredAt: isAnswered ? system.now() : null, sealedAnswer: null };
  }
  const { status, headers, bytes } = ended.answer;
  const isSmall = bytes.length <= KEPT_ANSWER_BYTES_MAX;
  const kilobytes = Math.max(1, Math.ceil(bytes.length / 1_024));
  const isKept = isSmall && (await takeTurn(system, "kept_kb_per_link", linkId, kilobytes)) === null;
  const kept = isKept && JSON.stringify({ status, headers, bytes: bytes.toString("base64") });
  return {
    failure: null,
    status,
    answeredAt: system.now(),
    sealedAnswer: kept ? system.vault.seal(kept, sealedForCall(settlementId)) : null,
  };
}

/** Only for a seat that holds room for it. */
async function keptAnswer(system: System, settlementId: SettlementId): Promise<UpstreamAnswer | null> {
  const sealed = await store.findAnswer(system.db, settlementId);
  if (sealed === null) return null;
  const { status, headers, bytes } = JSON.parse(system.vault.open(sealed, sealedForCall(settlementId)));
  return { status, headers, bytes: Buffer.from(bytes, "base64") };
}

/** Ends the calls of this process, which buyers can then repeat at another one at once. */
export const endCalls = (system: System): void => roomOf(system).close();

/** The newest calls, newest first, and the figures of the last `FIGURES_DAYS`. Throws LINK_NOT_FOUND. */
export async function listCalls(ctx: Ctx<Agent>, linkId: LinkId) {
  const link = await links.findOwn(ctx.db, ctx.actor.agentId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  return callsOf(ctx, linkId);
}

/** The caller must have checked that the link is the owner's or the agent's. */
export async function callsOf({ db, now }: System, linkId: LinkId) {
  const since = addSeconds(now(), -FIGURES_DAYS * 86_400);
  const [calls, figures] = await Promise.all([store.listOf(db, linkId), store.figuresOf(db, linkId, since)]);
  return { calls, figures };
}

export type TestCall = { ended: Ended; milliseconds: number };

/**
 * Sends a request to the link's upstream without a payment, for its owner. Throws agent_not_found, LINK_NOT_FOUND, PATH_NOT_OFFERED,
 * METHOD_NOT_OFFERED, CALLS_FULL and rate_limited.
 */
export async function testCall(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  linkId: LinkId,
  request: PaidRequest,
): Promise<TestCall> {
  await agents.getOwned(ctx, agentId);
  const link = await links.findOwn(ctx.db, agentId, linkId);
  if (!link?.upstream) throw linkErrors.LINK_NOT_FOUND();
  const { upstream } = link;
  const offered = quote(upstream, link.amount, request);
  if (offered.type === "path_not_offered")
    throw linkErrors.PATH_NOT_OFFERED({ paths: upstream.paths.map(({ path }) => path) });
  if (offered.type === "method_not_offered") throw linkErrors.METHOD_NOT_OFFERED({ methods: upstream.methods });
  const waits = [
    await takeTurn(ctx, "test_call_per_owner", ctx.actor.ownerId),
    await takeTurn(ctx, "outbound_per_host", new URL(upstream.url).hostname),
  ].filter((seconds) => seconds !== null);
  if (waits.length > 0) throw edgeErrors.rate_limited({ retryAfterSeconds: Math.max(...waits) });
  const seat = takeSeat(ctx, { ownerId: ctx.actor.ownerId, agentId });
  try {
    assertRoom(seat, link);
    const before = performance.now();
    const send = sendOf(ctx, linkId, upstream);
    const headers = {
      secrets: secretHeaders(ctx, link),
      own: { "user-agent": `Tessera (+${ctx.config.baseUrl})` },
    };
    const forwarded = await forward(send, upstream, request, headers, seat.closing);
    // Nobody reads the stream, and an unread one keeps its bytes for two minutes after its end.
    if (forwarded.type === "streaming") forwarded.body.fail();
    const ended = forwarded.type === "streaming" ? await forwarded.end : forwarded;
    return { ended, milliseconds: Math.round(performance.now() - before) };
  } finally {
    seat.leave();
  }
}

/** Deletes kept answers after their hour. */
export const forgetAnswers = ({ db, now }: System, atOnce: number): Promise<number> =>
  store.forgetAnswers(db, addSeconds(now(), -REPEAT_SECONDS), atOnce);

/** Deletes removed upstreams when no buyer can have another try, or a call on a pass. */
export const forgetEnded = ({ db, now }: System, atOnce: number): Promise<number> =>
  store.forgetEnded(db, addSeconds(now(), -ENDED_UPSTREAM_SECONDS), atOnce);
