import { addAgentUrl } from "@/lib/agents/linking";
import * as agents from "@/lib/agents/service";
import type { AppError } from "@/lib/core/errors";
import type { AgentId, LinkId, SettlementId } from "@/lib/core/ids";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import type { Agent, Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { failpoint } from "@/lib/platform/failpoint";
import { takeTurn } from "@/lib/platform/limiter";
import { sendFor } from "@/lib/platform/outbound-guard";
import { keysFor } from "@/lib/platform/secrets";
import type { SaleOffer, Settlement } from "@/lib/settlements/service";
import { checkout } from "../checkout/service";
import { linkErrors } from "../errors";
import { type Link, payeeFor, unavailable } from "../rules";
import * as links from "../store";
import { paidUrl } from "../urls";
import { secretHeaders } from "./columns";
import { type Ended, forward, type UpstreamAnswer } from "./forward";
import { BUSY_MARGIN_SECONDS, KEPT_ANSWER_BYTES_MAX, REPEAT_SECONDS, TRIES_MAX } from "./limits";
import { fingerprintOf, type PaidRequest, quote, type UpstreamFailure } from "./rules";
import * as store from "./store";

const sealedForCall = (settlementId: SettlementId) => `call:${settlementId}`;

/** What a buyer requests: a request without its body. */
export type CallAddress = Pick<PaidRequest, "method" | "path" | "search">;
export { forwardedHeaders } from "./rules";
export type { CallFigures, UpstreamCall } from "./store";
export type SoldCall = { link: Link; offer: SaleOffer };

/**
 * The payment requirement of one request to a link's upstream; `closed` when it cannot be paid now. Throws LINK_NOT_FOUND,
 * WALLET_NOT_LINKED, PATH_NOT_OFFERED, METHOD_NOT_OFFERED.
 */
export async function offerCall(system: System, linkId: LinkId, address: CallAddress): Promise<SoldCall> {
  const { link, uses, payee } = await checkout(system, linkId);
  if (!link.upstream) throw linkErrors.LINK_NOT_FOUND();
  const { methods, paths } = link.upstream;
  const offered = quote(link.upstream, link.amount, address);
  if (offered.type === "path_not_offered") throw linkErrors.PATH_NOT_OFFERED({ paths: paths.map(({ path }) => path) });
  if (offered.type === "method_not_offered") throw linkErrors.METHOD_NOT_OFFERED({ methods });
  if (!payee) throw linkErrors.WALLET_NOT_LINKED({ authorizationUrl: addAgentUrl(system.config.baseUrl, link) });
  const reason = unavailable(link, uses, system.now());
  return soldCall(system, link, payee, { ...address, amount: offered.amount, closed: reason && linkErrors[reason]() });
}

/**
 * An offer that is closed with `error`, for proofs that paid before: what was bought is delivered, although the seller has deleted the link
 * or no longer sells the path. Null if the link never was, or nobody can be its seller any more.
 */
export async function offerEnded(
  system: System,
  linkId: LinkId,
  address: CallAddress,
  error: AppError,
): Promise<SoldCall | null> {
  const link = await links.findEver(system.db, linkId);
  const receiver = link && (await agents.receiverOf(system, link.agentId, link.network));
  if (!link || receiver === null || receiver === "missing" || receiver === "no_wallet") return null;
  const payee = payeeFor(link, receiver);
  return payee && soldCall(system, link, payee, { ...address, amount: link.amount, closed: error });
}

function soldCall(
  system: System,
  link: Link,
  payee: agents.Receiver,
  { path, search, amount, closed }: CallAddress & Pick<Link, "amount"> & Pick<SaleOffer, "closed">,
): SoldCall {
  const url = paidUrl(system, link.linkId, path);
  return {
    link,
    offer: {
      purpose: "link",
      subject: link.linkId,
      agentId: link.agentId,
      ownerId: payee.ownerId,
      requirement: {
        network: link.network,
        amount,
        payTo: payee.address,
        resource: `${url}${search}`,
        isResourceBound: true,
        description: link.description || (link.title ?? ""),
      },
      // What a buyer asked for is not for receipts.
      recordedResource: url,
      closed: closed ?? null,
    },
  };
}

/** A key for each client address, so that the table has none. */
const hashOfCaller = async (ctx: Ctx): Promise<string> =>
  (await keysFor(ctx, "caller of a paid request"))(ctx.caller ?? "unknown");

/** Returns a function that records the request in its claim's transaction. */
export async function callRecorder(
  ctx: Ctx,
  linkId: LinkId,
  request: PaidRequest,
): Promise<(tx: Tx, settlementId: SettlementId) => Promise<void>> {
  const { method, path } = request;
  const callerHash = await hashOfCaller(ctx);
  const row = { linkId, method, path, fingerprint: fingerprintOf(request), callerHash, createdAt: ctx.now() };
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
  const call = await store.find(ctx.db, settlementId);
  return call?.callerHash === (await hashOfCaller(ctx));
}

/** What the upstream is told of the payment, for `aud`. */
export const paidRequestClaims = (
  { config, now }: System,
  aud: string,
  { id, payer, subject, amount, network }: Pick<Settlement, "id" | "payer" | "subject" | "amount" | "network">,
  { method, path, search }: CallAddress,
) => {
  const iat = unixSeconds(now());
  return {
    iss: config.baseUrl,
    aud,
    iat,
    exp: iat + CLAIMS_SECONDS,
    sub: id,
    payer,
    linkId: subject,
    amount: amount.toString(),
    network,
    method,
    path: `${path}${search}`,
  };
};

const CLAIMS_SECONDS = 120;

/** `busy`: another request with the same proof is at the upstream. `gone`: the link has no upstream any more. */
export type CallFailure = UpstreamFailure | "busy" | "gone";
export type Delivery =
  | {
      type: "answered";
      answer: Omit<UpstreamAnswer, "bytes"> & { body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> };
    }
  /** `repeatUntil`: null an hour after the payment, or after the last try. */
  | { type: "failed"; failure: CallFailure | null; repeatUntil: Date | null };

/**
 * Delivers what a settled payment bought: the kept answer, or a request to the upstream. One request runs at a time for each payment, at
 * most ten in all, within an hour of the claim.
 */
export async function deliver(
  system: System,
  settlement: Settlement,
  link: Link,
  request: PaidRequest,
  sign: (audience: string) => Promise<string>,
): Promise<Delivery> {
  const { db, vault } = system;
  const time = system.now();
  const call = await store.find(db, settlement.id);
  if (!call) throw new Error(`${settlement.id} is no call of an upstream`);
  const repeatUntil = addSeconds(call.createdAt, REPEAT_SECONDS);
  if (repeatUntil < time) return { type: "failed", failure: call.failure, repeatUntil: null };
  if (call.sealedAnswer !== null)
    return { type: "answered", answer: openAnswer(system, settlement.id, call.sealedAnswer) };
  const { upstream } = link;
  if (!upstream) return { type: "failed", failure: "gone", repeatUntil: null };
  const busyUntil = addSeconds(time, upstream.secondsMax + BUSY_MARGIN_SECONDS);
  const started = await store.startTry(db, settlement.id, { time, busyUntil });
  if (!started) return whyNoTry(system, settlement.id, time, repeatUntil);
  await failpoint("upstream.started");
  const before = performance.now();
  const forwarded = await forward(sendFor(system, { replyBytesMax: upstream.answerBytesMax }), upstream, request, {
    secrets: secretHeaders({ vault }, link),
    own: {
      "idempotency-key": settlement.id,
      "tessera-payment": await sign(new URL(upstream.url).origin),
      "user-agent": `Tessera (+${system.config.baseUrl})`,
    },
  });
  const keep = async (ended: Ended) => {
    await failpoint("upstream.answered");
    const milliseconds = Math.round(performance.now() - before);
    await store.endTry(db, settlement.id, busyUntil, { milliseconds, ...endOf(system, settlement.id, ended) });
  };
  switch (forwarded.type) {
    case "streaming":
      // If this is lost, the try ends at its `busyUntil`.
      forwarded.end.then(keep).catch((err: unknown) => {
        system.log.error({ settlementId: settlement.id, err }, "upstream.answer_not_kept");
      });
      return { type: "answered", answer: { ...forwarded.head, body: forwarded.body } };
    case "answered": {
      await keep(forwarded);
      const { bytes, ...head } = forwarded.answer;
      return { type: "answered", answer: { ...head, body: new Uint8Array(bytes) } };
    }
    case "failed":
      await keep(forwarded);
      return {
        type: "failed",
        failure: forwarded.failure,
        repeatUntil: started.triesStarted < TRIES_MAX ? repeatUntil : null,
      };
    default:
      return forwarded satisfies never;
  }
}

/** Why no try was started. */
async function whyNoTry(system: System, settlementId: SettlementId, time: Date, repeatUntil: Date): Promise<Delivery> {
  const call = await store.find(system.db, settlementId);
  if (call?.sealedAnswer) return { type: "answered", answer: openAnswer(system, settlementId, call.sealedAnswer) };
  if (call?.busyUntil && call.busyUntil >= time) return { type: "failed", failure: "busy", repeatUntil };
  return { type: "failed", failure: call?.failure ?? null, repeatUntil: null };
}

function endOf(system: System, settlementId: SettlementId, ended: Ended) {
  if (ended.type === "failed") {
    const { failure, status } = ended;
    return { failure, status, answeredAt: null, sealedAnswer: null };
  }
  const { status, headers, bytes } = ended.answer;
  const kept = JSON.stringify({ status, headers, bytes: bytes.toString("base64") });
  return {
    failure: null,
    status,
    answeredAt: system.now(),
    sealedAnswer: bytes.length > KEPT_ANSWER_BYTES_MAX ? null : system.vault.seal(kept, sealedForCall(settlementId)),
  };
}

function openAnswer(system: System, settlementId: SettlementId, sealed: string) {
  const { status, headers, bytes } = JSON.parse(system.vault.open(sealed, sealedForCall(settlementId)));
  return { status, headers, body: new Uint8Array(Buffer.from(bytes, "base64")) };
}

/** The newest calls, newest first, and the figures of all. Throws LINK_NOT_FOUND. */
export async function listCalls(ctx: Ctx<Agent>, linkId: LinkId) {
  const link = await links.findOwn(ctx.db, ctx.actor.agentId, linkId);
  if (!link) throw linkErrors.LINK_NOT_FOUND();
  return callsOf(ctx, linkId);
}

/** The caller must have checked that the link is the owner's or the agent's. */
export async function callsOf({ db }: System, linkId: LinkId) {
  const [calls, figures] = await Promise.all([store.listOf(db, linkId), store.figuresOf(db, linkId)]);
  return { calls, figures };
}

export type TestCall = { ended: Ended; milliseconds: number };

/**
 * Sends a request to the link's upstream without a payment, for its owner. Throws agent_not_found, LINK_NOT_FOUND, PATH_NOT_OFFERED,
 * METHOD_NOT_OFFERED and rate_limited.
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
  const before = performance.now();
  const forwarded = await forward(sendFor(ctx, { replyBytesMax: upstream.answerBytesMax }), upstream, request, {
    secrets: secretHeaders(ctx, link),
    own: { "user-agent": `Tessera (+${ctx.config.baseUrl})` },
  });
  const ended = forwarded.type === "streaming" ? await forwarded.end : forwarded;
  return { ended, milliseconds: Math.round(performance.now() - before) };
}

/** Deletes kept answers after their hour. */
export const forgetAnswers = ({ db, now }: System, atOnce: number): Promise<number> =>
  store.forgetAnswers(db, addSeconds(now(), -REPEAT_SECONDS), atOnce);
