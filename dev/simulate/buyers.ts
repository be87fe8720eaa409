import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import { readAuthorization } from "@/lib/x402/authorization";
import { decodeHeader } from "@/lib/x402/header";
import { authorizationWire } from "@/lib/x402/schema";
import { signingBody } from "../actors/agents";
import type { Answer } from "../actors/api";
import type { Account, Offer, Seller } from "./cast";
import { settle } from "./facilitator";
import {
  type Game,
  offerOf,
  offerOnBase,
  orNull,
  payerOf,
  present,
  sellerOf,
  signProof,
  start,
  submit,
  type Turn,
  uplOf,
} from "./game";
import { keyOfProof, type Proof } from "./memory";
import type { BUYERS } from "./schedule";
import { payUndeployed } from "./undeployed";

const signPurchase = (turn: Turn, payer: Account, offer: Offer, act: string) =>
  signProof(turn, { act, from: toAddress(payer.account.address), account: payer, offer, isHonest: true });

const wire = z.object({
  payload: z.object({ signature: z.custom<`0x${string}`>(), authorization: authorizationWire }),
});
const signedAnswer = z.object({ xPaymentB64: z.string() });

export type By = Pick<Seller, "agent" | "mandateId">;

/** Requests a signature under the mandate. */
export function askFor({ game }: Turn, offer: Offer, { agent, mandateId }: By): Promise<Answer | null> {
  const terms = signingBody({
    scheme: "exact",
    network: "base",
    maxAmountRequired: offer.price.toString(),
    resource: offer.url,
    description: "",
    payTo: offer.payTo,
    asset: game.world.chain.usdc,
    maxTimeoutSeconds: 120,
    extra: { name: "USD Coin", version: "2" },
  });
  return orNull(agent.call("POST", "/api/payment/x402V3Payment", { ...terms, mandateId }));
}

/** A proof that the seller's agent signs under one of its mandates. Null if it is refused or the connection breaks. */
export const signedByMandate = async (turn: Turn, offer: Offer, act: string, by: By = sellerOf(turn)) =>
  proofIn(turn, offer, act, await askFor(turn, offer, by));

/** The proof in a response of the service; null if it contains none. */
export function proofIn({ game }: Turn, offer: Offer, act: string, response: Answer | null): Proof | null {
  const signed = signedAnswer.safeParse(response?.body);
  if (response?.status !== 200 || !signed.success) return null;
  const { payload } = wire.parse(decodeHeader(signed.data.xPaymentB64));
  const authorization = readAuthorization(payload.authorization);
  const proof: Proof = {
    act,
    key: keyOfProof(authorization),
    authorization,
    signature: payload.signature,
    account: null,
    header: signed.data.xPaymentB64,
    url: offer.url,
    network: offer.network,
    payTo: offer.payTo,
    linkId: offer.linkId,
    content: offer.content,
    // Wallet and vault also pay for other things, so the payer is not `isHonest`.
    isHonest: false,
    replies: [],
    settles: [],
    verifies: [],
  };
  game.memory.proofs.push(proof);
  return proof;
}

/** Acts of an honest buyer. */
export const BUY: Record<keyof typeof BUYERS, (turn: Turn) => void> = {
  buy: (turn) => start(turn.game, present(turn.game, signPurchase(turn, payerOf(turn), offerOf(turn), "buy"))),

  rush: (turn) => {
    const offer = offerOf(turn);
    for (const payer of turn.game.cast.payers) {
      start(turn.game, present(turn.game, signPurchase(turn, payer, offer, "rush")));
    }
  },

  buy_twice: (turn) => {
    const proof = signPurchase(turn, payerOf(turn), offerOf(turn), "buy_twice");
    start(turn.game, Promise.all([present(turn.game, proof), present(turn.game, proof)]));
  },

  present_again: (turn) => {
    const { proofs } = turn.game.memory;
    const proof = proofs[turn.step.amount % Math.max(1, proofs.length)];
    if (!proof) return;
    const [sold] = proof.settles;
    start(turn.game, sold ? settle(turn.game, proof, sold.key) : present(turn.game, proof));
  },

  mandate_buy: (turn) => start(turn.game, buyByMandate(turn.game, turn)),

  mandate_abroad: (turn) => start(turn.game, payAbroad(turn.game, turn, turn.step.count > 1)),

  undeployed_buy: (turn) => start(turn.game, payUndeployed(turn)),
};

async function buyByMandate(game: Game, turn: Turn): Promise<void> {
  const proof = await signedByMandate(turn, offerOnBase(turn), "mandate_buy");
  if (proof) await present(game, proof);
}

/** Signs a proof for a host outside the service. Only that host can submit it, if `isSubmitted`. */
export async function payAbroad(
  game: Game,
  turn: Turn,
  isSubmitted: boolean,
  by?: By,
  name = `abroad ${turn.at}`,
): Promise<Proof | null> {
  const payTo = game.cast.account(name).account.address.toLowerCase();
  const offer = { ...uplOf(sellerOf(turn), BigInt(turn.step.amount)), url: "https://api.example.com/weather", payTo };
  const proof = await signedByMandate(turn, offer, by ? "vault_abroad" : "mandate_abroad", by);
  if (proof && isSubmitted) await submit(game, proof);
  return proof;
}
