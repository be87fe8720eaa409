import type { Hex, LocalAccount } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { type Authorization, toWireAuthorization } from "@/lib/x402/authorization";
import { encodeHeader } from "@/lib/x402/header";
import { signAuthorization } from "@/lib/x402/signature";
import type { Answer } from "../actors/api";
import type { Account, Cast, Offer, Seller, SoldApi } from "./cast";
import { keyOfProof, type Memory, type Proof } from "./memory";
import type { Random } from "./random";
import type { Plan, Step } from "./schedule";
import type { World } from "./world";

/** A seed in play. */
export type Game = {
  world: World;
  plan: Plan;
  cast: Cast;
  memory: Memory;
  /** Pending requests and follow-ups. */
  open: Promise<unknown>[];
  /** Work scheduled for a later step, by the index of that step. */
  later: { at: number; work: () => Promise<unknown> }[];
};

/** A step and its index. The random draws depend only on the seed and the index. */
export type Turn = { game: Game; step: Step; at: number; random: Random };

/** Starts work that the schedule does not wait for. If it fails, the seed fails. */
export const start = (game: Game, work: Promise<unknown>): void => {
  // Awaited after the steps; until then a rejection must not count as unhandled.
  work.catch(() => {});
  game.open.push(work);
};

/** The response, or null if the connection broke. */
export const orNull = (call: Promise<Answer>): Promise<Answer | null> => call.catch(() => null);

export const indexOf = ({ game, step }: Turn): number => step.seller % game.cast.sellers.length;

export const sellerOf = ({ game, step }: Turn): Seller => itemAt(game.cast.sellers, step.seller);
export const payerOf = ({ game, step }: Turn): Account => itemAt(game.cast.payers, step.payer);

/** What this step buys: a link, or a payment at the agent's UPL. */
export function offerOf(turn: Turn): Offer {
  const seller = sellerOf(turn);
  if (turn.step.link >= 0) return itemAt(seller.links, turn.step.link);
  return uplOf(seller, BigInt(turn.step.amount));
}

/** Like `offerOf`, but with the agent's UPL if the link is on another chain. */
export function offerOnBase(turn: Turn): Offer {
  const offer = offerOf(turn);
  return offer.network === "base" ? offer : uplOf(sellerOf(turn), offer.price);
}

/** What the seller sells at this step, which is one of CALLS. */
export function apiOf({ game, at }: Turn): SoldApi {
  const api = game.cast.apis.get(at);
  if (!api) throw new Error(`nobody sells an API at step ${at}`);
  return api;
}

/** The name of a path of an API that no other step asks for. */
export const pathName = ({ game, at }: Turn, name: string): string => `${game.plan.seed}-${at}-${name}`;

export const uplOf = (seller: Seller, price: bigint): Offer => ({
  url: seller.agent.tessera.receiveUrl(`${price}`),
  network: "base",
  payTo: seller.wallet,
  price,
  linkId: null,
  maxUses: null,
  content: null,
});

export const itemAt = <T>(list: readonly T[], index: number): T => {
  const match = list[index % list.length];
  if (match === undefined) throw new Error("the cast is empty");
  return match;
};

export const WINDOW_SECONDS = 300;

export type Signing = {
  act: string;
  from: Address;
  /** The signer; null for random bytes. */
  account: Account | null;
  offer: Offer;
  isHonest: boolean;
  change?: Partial<Authorization>;
  signature?: Hex;
  /** What the service is shown in place of the signature (ERC-6492). */
  wrap?: (authorization: Authorization, signature: Hex) => Hex;
};

/** Signs a proof for an offer without showing it to anyone. */
export function signProof(
  { game, random }: Turn,
  { act, from, account, offer, isHonest, change, signature, wrap }: Signing,
): Proof {
  const now = Math.floor(game.world.now() / 1000);
  const authorization: Authorization = {
    from,
    to: toAddress(offer.payTo),
    value: toUsdc(offer.price),
    validAfter: BigInt(now - 60),
    validBefore: BigInt(now + WINDOW_SECONDS),
    nonce: random.hex(32),
    ...change,
  };
  const signed = signature ?? signAuthorization(offer.network, authorization, account?.key ?? "0x");
  const shown = wrap ? wrap(authorization, signed) : signed;
  const payload = { signature: shown, authorization: toWireAuthorization(authorization) };
  const proof: Proof = {
    act,
    key: keyOfProof(authorization),
    authorization,
    signature: signed,
    account: account?.account ?? (null as LocalAccount | null),
    header: encodeHeader({ x402Version: 1, scheme: "exact", network: offer.network, payload }),
    url: offer.url,
    network: offer.network,
    payTo: offer.payTo,
    linkId: offer.linkId,
    content: offer.content,
    isHonest,
    replies: [],
    settles: [],
    verifies: [],
  };
  game.memory.proofs.push(proof);
  return proof;
}

/** Presents a proof to the service and records the response. `url`: where, if not at what it was signed for. */
export async function present({ world }: Game, proof: Proof, url = proof.url): Promise<Answer | null> {
  const time = world.now();
  const response = await world.api
    .call(proof.act, "GET", url, { headers: { "x-payment": proof.header, accept: "application/json" } })
    // The connection broke, so the payer learned nothing.
    .catch(() => null);
  // A claim, if there is one, is not later than this block.
  proof.claimedByBlock ??= await world.on(proof.network).head();
  proof.replies.push({ at: time, by: "presented", answer: response });
  return response;
}

/** Submits a proof directly to the chain, as anyone who has seen it can. */
export const submit = ({ world }: Game, { authorization, signature, network }: Proof): Promise<unknown> =>
  // A rejection counts as a full pool.
  world
    .on(network)
    .submit(authorization, signature)
    .catch(() => undefined);
