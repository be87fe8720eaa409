import { AMOUNT_LEFT_HEADER, CALLS_LEFT_HEADER, COST_MAX_HEADER } from "@tessera/x402/passes";
import { paymentHeader } from "@/lib/checkout/presented";
import { assertUnusedProof, sellOffer } from "@/lib/checkout/sell-offer";
import { type Reply, reply } from "@/lib/core/endpoint";
import { AppError } from "@/lib/core/errors";
import type { LinkId, SettlementId } from "@/lib/core/ids";
import type { AnyResponse } from "@/lib/core/whole-response";
import { assertLength, readBytes } from "@/lib/http/body";
import { targetOf } from "@/lib/http/caller";
import { preflightOfCalls } from "@/lib/http/cors";
import { edgeErrors } from "@/lib/http/errors";
import { idempotencyKeyOf } from "@/lib/http/idempotency";
import { signPaidRequest } from "@/lib/identity/service";
import { linkErrors } from "@/lib/links/errors";
import { failedPassCall, passExtension } from "@/lib/links/passes/contract";
import { COST_HEADER } from "@/lib/links/passes/limits";
import * as passes from "@/lib/links/passes/service";
import {
  deletePaid,
  type FailedCall,
  failedCall,
  getPaid,
  type PaidMethod,
  patchPaid,
  postPaid,
  putPaid,
  toAnswer,
} from "@/lib/links/upstream/contract";
import { BUSY_WAIT_SECONDS, UPSTREAM_REQUEST_BYTES_MAX } from "@/lib/links/upstream/limits";
import * as upstreams from "@/lib/links/upstream/service";
import * as visits from "@/lib/links/visits/service";
import type { PassRefusal, PaymentRequiredBody, PendingPayment, SettlementFailed } from "@/lib/settlements/responses";
import type { Settlement } from "@/lib/settlements/service";
import { type Ctx, route } from "@/lib/wiring";

type PaidReply =
  | Reply<200, AnyResponse>
  | Reply<202, PendingPayment>
  | Reply<402, PaymentRequiredBody>
  | Reply<500, SettlementFailed>
  | Reply<503, FailedCall>;

/** Sells one request to a link's upstream. */
async function sellCall(ctx: Ctx, linkId: LinkId, req: Request, method: PaidMethod): Promise<PaidReply> {
  const hasBody = method !== "GET";
  if (hasBody) assertLength(req, UPSTREAM_REQUEST_BYTES_MAX);
  const address = { method, ...pathIn(req, linkId) };
  const read = async (seat: upstreams.Seat): Promise<upstreams.PaidRequest> => {
    const admit = (bytes: number) => upstreams.assertBodyRoom(seat, bytes);
    const body = hasBody ? await readBytes(req, UPSTREAM_REQUEST_BYTES_MAX, admit) : Buffer.alloc(0);
    return { ...address, headers: upstreams.forwardedHeaders(req), body };
  };
  const hasProof = paymentHeader(req) !== null;
  const token = hasProof || req.method === "HEAD" ? null : passes.passIn(req);
  const passPayment = token && (await passes.paymentOf(ctx, token));
  let refusal: PassRefusal | undefined = token === null ? undefined : "PASS_INVALID";
  if (passPayment) {
    const sign = (claims: Record<string, unknown>) => signPaidRequest(ctx, claims);
    const pass = { linkId, settlementId: passPayment, name: idempotencyKeyOf(req), costMax: costMaxOf(req) };
    const call = await passes.callOnPass(ctx, pass, read, sign);
    if (call.type !== "refused") return toPassReply(ctx, { ...pass, method }, call);
    refusal = call.code;
  }
  const isPaying = hasProof || token !== null;
  const sold = upstreams.offerCall(ctx, linkId, address, isPaying).catch(async (error: unknown) => {
    const isOver = hasProof && error instanceof AppError;
    const ended = isOver ? await upstreams.offerEnded(ctx, linkId, address, error) : null;
    if (ended) return ended;
    await assertUnusedProof(ctx, req);
    throw passRefused(refusal, error) ?? error;
  });
  const { link, offer: callOffer } = await sold;
  const offer = {
    ...callOffer,
    closed: callOffer.closed ? (passRefused(refusal, callOffer.closed) ?? callOffer.closed) : null,
  };
  const seat = upstreams.takeSeat(ctx, offer);
  let isDelivered = false;
  try {
    let reading: Promise<upstreams.PaidRequest> | null = null;
    // Only for a proof that its payer has signed, because it fills memory; and before the claim, because a body that breaks off buys nothing.
    const readOnce = () => {
      reading ??= read(seat).then((request) => upstreams.toBought(link, request));
      return reading;
    };
    const outcome = await sellOffer(ctx, req, offer, {
      onSettled: async (settlement) => {
        const paid = await readOnce();
        const sign = (aud: string) => signPaidRequest(ctx, upstreams.paidRequestClaims(ctx, aud, settlement, paid));
        return { settlement, delivery: await upstreams.deliver(ctx, settlement, link, paid, seat, sign) };
      },
      onPending: () => ({}),
      beforeChain: async () => {
        // First the body, which may take its time to arrive.
        await readOnce();
        upstreams.assertRoom(seat, link);
      },
      onClaim: async () => upstreams.callRecorder(ctx, link, await readOnce()),
      isSame: async ({ id }: Settlement) => upstreams.isSameCall(ctx, linkId, await readOnce(), id),
      isBuyer: (id) => upstreams.isFromSameCaller(ctx, id),
      onRefused: (code, payer) => visits.recordRefusal(ctx, linkId, { code, payer }),
      extensions: passExtension(ctx.config.baseUrl, link, address),
      refusal,
    });
    if (outcome.status !== 200) return outcome;
    const { headers = {}, body: sale } = outcome;
    const { settlement, delivery } = sale;
    switch (delivery.type) {
      case "answered":
        isDelivered = true;
        return reply(200, toAnswer(delivery.answer), { headers });
      case "failed": {
        // A receipt would tell a client that it has what it paid for, and not to send the request again.
        const { next } = delivery;
        const body = failedCall(delivery, settlement.id, ctx.requestId);
        return reply(503, body, { headers: next ? { "Retry-After": String(next.waitSeconds) } : headers });
      }
      default:
        return delivery satisfies never;
    }
  } finally {
    if (!isDelivered) seat.leave();
  }
}

/** Throws invalid_request. */
function costMaxOf(req: Request): bigint | null {
  const costMax = req.headers.get(COST_MAX_HEADER);
  if (costMax === null) return null;
  if (!/^\d{1,78}$/.test(costMax))
    throw edgeErrors.invalid_request({ message: `${COST_MAX_HEADER} must be an amount in atomic USDC` });
  return BigInt(costMax);
}

/** Where no call can be paid because of `cause`, what the buyer of a pass that admits none is told. What is not sold says so itself. */
function passRefused(reason: PassRefusal | undefined, cause: unknown): AppError | null {
  if (!(cause instanceof AppError) || reason === undefined || reason === "PASS_INVALID") return null;
  const isNotSold = linkErrors.PATH_NOT_OFFERED.is(cause) || linkErrors.METHOD_NOT_OFFERED.is(cause);
  return reason === "PASS_NOT_FOR_THIS" && isNotSold ? null : linkErrors.PASS_REFUSED({ reason });
}

function toPassReply(
  { requestId }: Ctx,
  request: { settlementId: SettlementId; method: PaidMethod; name: string | null },
  call: Exclude<passes.PassCall, { type: "refused" }>,
): PaidReply {
  if (call.type === "failed")
    return reply(503, failedPassCall(call, request, requestId), {
      headers: { "Retry-After": String(BUSY_WAIT_SECONDS) },
    });
  return reply(200, toAnswer(call.answer), { headers: leftHeaders(call.left) });
}

function leftHeaders(left: passes.PassLeft): Record<string, string> {
  switch (left.type) {
    case "calls":
      return { [CALLS_LEFT_HEADER]: `${left.callsLeft}` };
    case "amount":
      return { [COST_HEADER]: `${left.cost}`, [AMOUNT_LEFT_HEADER]: `${left.amountLeft}` };
    case "any_number":
      return { [CALLS_LEFT_HEADER]: "unlimited" };
    default:
      return left satisfies never;
  }
}

/** The path below the link as the buyer wrote it, and the query. Throws LINK_NOT_FOUND for a link that is written in another way. */
function pathIn(req: Request, linkId: LinkId): { path: string; search: string } {
  const { pathname, search } = new URL(`http://localhost${targetOf(req)}`);
  const prefix = `/paid/${linkId}`;
  const path = pathname.slice(prefix.length);
  if (!pathname.startsWith(prefix) || (path !== "" && !path.startsWith("/"))) throw linkErrors.LINK_NOT_FOUND();
  return { path: path || "/", search };
}

export const GET = route(getPaid, (ctx, { params }, req) => sellCall(ctx, params.linkId, req, "GET"));
export const POST = route(postPaid, (ctx, { params }, req) => sellCall(ctx, params.linkId, req, "POST"));
export const PUT = route(putPaid, (ctx, { params }, req) => sellCall(ctx, params.linkId, req, "PUT"));
export const PATCH = route(patchPaid, (ctx, { params }, req) => sellCall(ctx, params.linkId, req, "PATCH"));
export const DELETE = route(deletePaid, (ctx, { params }, req) => sellCall(ctx, params.linkId, req, "DELETE"));

export const OPTIONS = preflightOfCalls;
