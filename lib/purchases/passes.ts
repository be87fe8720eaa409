import { hash } from "node:crypto";
import { fieldsOf, textOf } from "@tessera/x402/json";
import { chooseOffers } from "@tessera/x402/offers";
import { findPass } from "@tessera/x402/passes";
import { AppError } from "@/lib/core/errors";
import { toUsdc, type Usdc } from "@/lib/core/money";
import type { Agent, Ctx } from "@/lib/platform/context";
import { isOwnUrl } from "@/lib/platform/outbound-guard";
import { headerIn, jsonIn } from "@/lib/x402/required";
import { type Reached, request, type SellerPath, type SellerRequest, type StoredAnswer, storedAnswer } from "./fetch";
import { offersOf } from "./offers";
import type { PurchaseOutcome } from "./rules";
import { storedProof, unseal } from "./sealed";
import * as store from "./store";

/** The order of a pass. */
export type PassOrder = Omit<SellerRequest, "url"> & { url: string; maxAmount: Usdc; idempotencyKey: string };

type PassView = { outcome: PurchaseOutcome; answer: StoredAnswer | null };

type PassCall<V extends PassView> = {
  httpRequest: SellerRequest;
  path: SellerPath;
  /** `maxAmount`: of the call. */
  limits: { maxAmount: Usdc; preferPass: Usdc };
  buy: (order: PassOrder) => Promise<V>;
};

/** `pass`: its purchase, if this call made it. */
export type CallOnPass<V> = { reply: Reached; pass: V | null };

/**
 * Requests a URL below `/paid/` of this service on the agent's pass for its link. If there is none, or it has ended, buys the one that is
 * offered: a purchase of its own, under a key that no caller can name. Null if there is no pass to use: the call can be paid. Throws the
 * errors of `request`.
 */
export async function callOnPass<V extends PassView>(
  ctx: Ctx<Agent>,
  { httpRequest, path, limits, buy }: PassCall<V>,
): Promise<CallOnPass<V> | null> {
  const { url, headers } = httpRequest;
  const [prefix] = /^\/paid\/[^/]+/.exec(url.pathname) ?? [];
  if (prefix === undefined || !isOwnUrl(ctx, url) || "authorization" in headers) return null;
  const idempotencyKey = `pass ${url.origin}${prefix}`;
  const passKey = { agentId: ctx.actor.agentId, keyHash: hash("sha256", idempotencyKey, "hex") };

  let row = await store.find(ctx.db, passKey);
  const keptToken = row ? tokenIn(unseal(ctx, row, "answer", storedAnswer)) : undefined;
  if (row && keptToken !== undefined) {
    const reply = await callWith(keptToken);
    if (reply.status !== 402) {
      await store.prolong(ctx.db, row.id, ctx.now());
      return { reply, pass: null };
    }
    if (!(await hasEnded(keptToken, reply))) return null;
  }
  if (row && (keptToken !== undefined || row.answerDeletedAt !== null)) {
    await store.freeKey(ctx.db, row);
    row = null;
  }
  const order = await orderOf(row);
  const pass = order && (await buy(order).catch(unlessRefused));
  if (pass?.outcome === "not_paid" && row) await store.freeKey(ctx.db, row);
  const token = pass && tokenIn(pass.answer);
  const reply = token ? await callWith(token) : null;
  return reply && reply.status !== 402 ? { reply, pass } : null;

  function callWith(token: string): Promise<Reached> {
    const authorization = `Bearer ${token}`;
    return request(ctx, path, { ...httpRequest, headers: { ...headers, authorization } });
  }

  /** Whether no call comes back to a pass that was refused. A refunded one stays: its link is not trusted with another. */
  async function hasEnded(token: string, { bytes }: Reached): Promise<boolean> {
    const { code } = fieldsOf(jsonIn(bytes));
    if (code !== "PASS_USED_UP") return code === "PASS_OVER";
    const passUrl = new URL(url.pathname.replace(/^\/paid(\/[^/]+).*/, "/pass$1"), url);
    const bearer = { authorization: `Bearer ${token}` };
    const state = await request(ctx, path, { url: passUrl, method: "GET", headers: bearer, body: undefined });
    return fieldsOf(fieldsOf(jsonIn(state.bytes)).pass).callsUnderWay === 0;
  }

  /** The order of the pass whose payment has no known end, or of the one that is offered. Null if none is worth its price. */
  async function orderOf(openPurchase: store.Purchase | null): Promise<PassOrder | null> {
    const toOrder = (passUrl: string, maxAmount: Usdc) => ({
      url: passUrl,
      method: "GET",
      headers: {},
      body: undefined,
      maxAmount,
      idempotencyKey,
    });
    const proof = openPurchase && unseal(ctx, openPurchase, "proof", storedProof);
    if (proof) return toOrder(proof.url, limits.preferPass);
    const price = await request(ctx, path, httpRequest);
    if (price.status !== 402) return null;
    const choice = chooseOffers(offersOf(price, price.url), limits);
    const offer = findPass(fieldsOf(headerIn(price, "payment-required")).extensions, {
      origin: url.origin,
      amountMax: limits.preferPass,
      callPrice: choice.type === "affordable" ? choice.offers[0].amount : limits.maxAmount,
    });
    return offer && toOrder(offer.url, toUsdc(BigInt(offer.amount)));
  }
}

const tokenIn = (answer: StoredAnswer | null): string | undefined =>
  textOf(fieldsOf(fieldsOf(jsonIn(Buffer.from(answer?.body ?? ""))).pass).token);

/** Null for a refusal: `purchase` has then presented no proof of a pass, and the call can be paid. */
function unlessRefused(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}
