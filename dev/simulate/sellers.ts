import { setTimeout as sleep } from "node:timers/promises";
import type { Account, Offer, SellerKey } from "./cast";
import { settle, verify } from "./facilitator";
import { offerOf, payerOf, present, start, type Turn } from "./game";
import { fundAndSubmitLater, later, takeAway } from "./hostile";
import type { Proof } from "./memory";
import type { SELLERS } from "./schedule";
import { addressOf, fresh, fund, hostile } from "./strangers";

const DEAR = 1_000_000_000n;

/** Time for the servers to verify a payment. The schedule does not wait longer for a hanging node. */
const VERIFIED_MS = 100;

/** The API key of this step, or the `next`-th one after it. */
function keyOf({ game, step }: Turn, next = 0): SellerKey {
  const { keys } = game.cast;
  const key = keys[(step.seller + next) % keys.length];
  if (!key) throw new Error("no seller has an API key");
  return key;
}

/** An offer of a server outside the service, at this step's price. */
function outsideOffer(turn: Turn): Offer {
  const payTo = addressOf(fresh(turn, "shop"));
  return { ...offerOf(turn), url: "https://shop.example/goods", payTo, linkId: null, maxUses: null, content: null };
}

const signForSeller = (turn: Turn, act: string, payer: Account, isHonest = false): Proof =>
  hostile(turn, payer, { act, offer: outsideOffer(turn), isHonest });

/** Verifies and settles a payment, as a seller's middleware does. */
async function take({ game }: Turn, proof: Proof, key: SellerKey): Promise<void> {
  await verify(game, proof, key);
  await settle(game, proof, key);
}

/** Acts of sellers outside the service, which use the facilitator. */
export const SELL: Record<keyof typeof SELLERS, (turn: Turn) => void | Promise<void>> = {
  settle: (turn) => start(turn.game, take(turn, signForSeller(turn, "settle", payerOf(turn), true), keyOf(turn))),

  settle_again: (turn) => {
    const proof = signForSeller(turn, "settle_again", payerOf(turn), true);
    const key = keyOf(turn);
    const first = Promise.all([take(turn, proof, key), settle(turn.game, proof, key)]);
    start(turn.game, first);
    later(turn, () => settle(turn.game, proof, key), first);
  },

  /** Two keys, of one owner or of two owners. Only one of them may get the response that it is paid. */
  settle_race: (turn) => {
    const proof = signForSeller(turn, "settle_race", payerOf(turn), true);
    const race = Promise.all([take(turn, proof, keyOf(turn)), take(turn, proof, keyOf(turn, 1))]);
    start(turn.game, race);
    later(turn, () => settle(turn.game, proof, keyOf(turn, 1)), race);
  },

  /** The payer passes `verify` and spends the money before the transfer is mined. Later, anyone can submit the proof. */
  settle_drained: async (turn) => {
    const payer = fresh(turn, "drained");
    const proof = signForSeller(turn, "settle_drained", payer);
    const key = keyOf(turn);
    await fund(turn, proof, addressOf(payer), proof.authorization.value);
    const verified = verify(turn.game, proof, key);
    start(turn.game, verified);
    await Promise.race([verified, sleep(VERIFIED_MS)]);
    const answered = settle(turn.game, proof, key);
    start(turn.game, answered);
    await takeAway(turn, payer, proof);
    fundAndSubmitLater(turn, payer, answered, proof);
    later(turn, () => settle(turn.game, proof, key), answered);
  },

  /** The payer signs two authorizations with one nonce: a small one, and one that exceeds its balance. Only one can become a payment. */
  settle_conflict: (turn) => {
    const { game, step } = turn;
    const payer = payerOf(turn);
    const key = keyOf(turn);
    const small = signForSeller(turn, "settle_conflict", payer);
    const { nonce, value } = small.authorization;
    const offer = { ...outsideOffer(turn), ...(step.count === 1 && { payTo: small.payTo }), price: value * DEAR };
    const dear = hostile(turn, payer, { act: "settle_conflict", offer, change: { nonce } });
    const first = settle(game, small, key);
    const both = Promise.all([first, sleep(VERIFIED_MS).then(() => take(turn, dear, key))]);
    start(game, both);
    later(turn, () => Promise.all([take(turn, dear, key), settle(game, small, key)]), both);
  },

  /** One proof for two purchases: at a link or UPL, and at a server that sells for the same payee. */
  settle_shown: (turn) => {
    const { game, step } = turn;
    const proof = hostile(turn, payerOf(turn), { act: "settle_shown" });
    const [key, otherSellerKey] = [keyOf(turn), keyOf(turn, 1)];
    const shown = step.count === 1 ? take(turn, proof, key) : settle(game, proof, key);
    const both = Promise.all([shown, present(game, proof)]);
    start(game, both);
    later(turn, () => Promise.all([present(game, proof), settle(game, proof, otherSellerKey)]), both);
  },
};
