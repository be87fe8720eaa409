import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import { toAddress } from "@/lib/core/address";
import type { Account } from "./cast";
import type { CODES } from "./codes";
import {
  offerOf,
  offerOnBase,
  payerOf,
  present,
  type Signing,
  sellerOf,
  signProof,
  start,
  submit,
  type Turn,
  uplOf,
} from "./game";
import type { Proof } from "./memory";
import type { HOSTILE } from "./schedule";
import { addressOf, fresh, fund, hostile, show } from "./strangers";
import { steal } from "./thief";
import { harmUndeployed } from "./undeployed";
import { abroadUndone, cancelUndone, frontRunHidden, frontRunUndone } from "./undone";
import { mined } from "./waits";

/** Schedules `work` for a later step. In half of the cases it also waits for `answered`, so that slow machines cover that order too. */
export const later = ({ game, at, step }: Turn, work: () => Promise<unknown>, answered?: Promise<unknown>) =>
  void game.later.push({
    at: at + 1 + step.count,
    work: async () => {
      if (step.amount % 2_000 === 0) await answered;
      await work();
    },
  });

/** Some steps later, funds the payer with the value of the first proof and submits all proofs at once. */
export function fundAndSubmitLater(
  turn: Turn,
  payer: Account,
  answered: Promise<unknown>,
  first: Proof,
  ...rest: Proof[]
) {
  const work = async () => {
    await fund(turn, first, addressOf(payer), first.authorization.value);
    await Promise.all([first, ...rest].map((proof) => submit(turn.game, proof)));
  };
  later(turn, work, answered);
}

/** Transfers the same money elsewhere at the start of the next block. */
export function takeAway(
  turn: Turn,
  payer: Account,
  {
    network,
    authorization: { value },
  }: Pick<Proof, "network"> & { authorization: Pick<Proof["authorization"], "value"> },
): Promise<unknown> {
  const payTo = turn.game.cast.account("elsewhere").account.address;
  const elsewhere = { ...uplOf(sellerOf(turn), value), network, payTo };
  const otherProof = hostile(turn, payer, { act: "taken away", offer: elsewhere });
  return submit(turn.game, otherProof);
}

const JUNK: Hex = `0x${"00".repeat(32)}${"11".repeat(32)}1b`;

/** A funded account whose code verifies its signatures. */
async function contractPayer(turn: Turn, act: string, code: keyof typeof CODES, change: Partial<Signing> = {}) {
  const payer = fresh(turn, act);
  const offer = offerOf(turn);
  await fund(turn, offer, addressOf(payer), 1_000_000n);
  await turn.game.world.on(offer.network).become(addressOf(payer), code, turn.step.count > 1);
  const proof = hostile(turn, payer, { act, offer, signature: JUNK, ...change });
  start(turn.game, present(turn.game, proof));
  return proof;
}

/** Acts of a hostile payer, who wants content for free or harms others. */
export const HARM: Record<keyof typeof HOSTILE, (turn: Turn) => Promise<void>> = {
  empty_wallet: async (turn) => {
    show(turn, hostile(turn, fresh(turn, "empty"), { act: "empty_wallet" }));
  },

  funded_later: async (turn) => {
    const payer = fresh(turn, "late");
    const proof = hostile(turn, payer, { act: "funded_later" });
    const answered = show(turn, proof);
    fundAndSubmitLater(turn, payer, answered, proof);
  },

  overdraw: async (turn) => {
    const payer = fresh(turn, "overdrawn");
    const first = hostile(turn, payer, { act: "overdraw", offer: offerOnBase(turn) });
    const second = hostile(turn, payer, { act: "overdraw", offer: uplOf(sellerOf(turn), first.authorization.value) });
    await fund(turn, first, addressOf(payer), first.authorization.value);
    const answered = show(turn, first, second);
    fundAndSubmitLater(turn, payer, answered, first, second);
  },

  drain: async (turn) => {
    const payer = fresh(turn, "drained");
    const proof = hostile(turn, payer, { act: "drain" });
    await fund(turn, proof, addressOf(payer), proof.authorization.value);
    const answered = show(turn, proof);
    // Between simulation and mining, if the timing permits.
    await sleep(20 * turn.step.count);
    await takeAway(turn, payer, proof);
    fundAndSubmitLater(turn, payer, answered, proof);
  },

  resell: async (turn) => {
    const { game, step } = turn;
    const limited = game.cast.sellers.flatMap(({ links }) => links).filter(({ maxUses }) => maxUses !== null);
    const offer = limited[step.count % Math.max(1, limited.length)];
    if (!offer) return;
    const holders = Array.from({ length: offer.maxUses ?? 0 }, (_, each) => fresh(turn, `holder ${each}`));
    const held = holders.map((payer) => ({ payer, proof: hostile(turn, payer, { act: "resell", offer }) }));
    const proofs = held.map(({ proof }) => proof);
    const fundAll = () => Promise.all(holders.map((payer) => fund(turn, offer, addressOf(payer), offer.price)));
    await fundAll();
    const answered = show(turn, ...proofs);
    await sleep(20 * step.count);
    await Promise.all(held.map(({ payer, proof }) => takeAway(turn, payer, proof)));
    await mined(game.world, answered);
    // Proofs that can still be paid have reserved every use.
    const buyer = payerOf(turn);
    const wanted = signProof(turn, { act: "buy", from: addressOf(buyer), account: buyer, offer, isHonest: true });
    start(game, present(game, wanted));
    later(turn, async () => {
      await fundAll();
      await Promise.all(proofs.map((proof) => submit(game, proof)));
    });
  },

  double_nonce: async (turn) => {
    const { game, step } = turn;
    const payer = fresh(turn, "doubled");
    const first = hostile(turn, payer, { act: "double_nonce", offer: offerOnBase(turn) });
    const { nonce, value } = first.authorization;
    // A different amount to the same seller, or the same amount to someone else.
    const other = step.count === 1 ? value + 1n : value;
    const offer = {
      ...uplOf(sellerOf(turn), other),
      ...(step.count > 1 && { payTo: addressOf(fresh(turn, "accomplice")) }),
    };
    const second = hostile(turn, payer, { act: "double_nonce", offer, change: { nonce } });
    await fund(turn, first, addressOf(payer), 2n * value + 1n);
    start(game, present(game, first));
    if (step.count === 3) start(game, present(game, second));
    else await submit(game, second);
  },

  front_run: async (turn) => {
    const { game, step } = turn;
    const proof = hostile(turn, payerOf(turn), { act: "front_run" });
    if (step.count === 1) {
      await submit(game, proof);
      await game.world.on(proof.network).mine(1);
    }
    start(game, present(game, proof));
    if (step.count > 1) await submit(game, proof);
  },

  cancel: async (turn) => {
    const { game } = turn;
    const payer = fresh(turn, "cancelling");
    const proof = hostile(turn, payer, { act: "cancel" });
    await fund(turn, proof, addressOf(payer), proof.authorization.value);
    const answered = show(turn, proof);
    await game.world
      .on(proof.network)
      .cancel(payer.account, proof.authorization.nonce)
      .catch(() => undefined);
    // If the block with the cancellation is replaced, the authorization is valid again.
    later(turn, () => submit(game, proof), answered);
  },

  cancel_undone: cancelUndone,
  front_run_undone: frontRunUndone,
  front_run_hidden: frontRunHidden,
  abroad_undone: abroadUndone,

  junk_signature: async (turn) => {
    const { game, step } = turn;
    const validAfter = BigInt(Math.floor(game.world.now() / 1000) + step.count);
    const { authorization, network } = await contractPayer(
      turn,
      "junk_signature",
      "acceptsAll",
      step.amount > 30_000 ? { change: { validAfter } } : {},
    );
    later(turn, () => game.world.on(network).become(authorization.from, null, false));
  },

  padded: async (turn) =>
    void (await contractPayer(turn, "padded", "acceptsAll", { signature: `${JUNK}${"ab".repeat(4_031)}` })),
  liar: async (turn) => void (await contractPayer(turn, "liar", "acceptsInSimulation")),
  burner: async (turn) => void (await contractPayer(turn, "burner", "burnsOnChain")),

  turncoat: async (turn) => {
    const { game, step } = turn;
    const payer = fresh(turn, "turncoat");
    const proof = hostile(turn, payer, { act: "turncoat" });
    await fund(turn, proof, addressOf(payer), proof.authorization.value);
    show(turn, proof);
    await sleep(25 * step.count);
    await game.world.on(proof.network).become(addressOf(payer), step.amount > 50_000 ? "burnsAll" : "refusesAll", true);
    later(turn, () => game.world.on(proof.network).become(addressOf(payer), null, false));
  },

  long_validity: async (turn) => {
    const { game } = turn;
    const payer = fresh(turn, "patient");
    const now = Math.floor(game.world.now() / 1000);
    const proof = hostile(turn, payer, { act: "long_validity", change: { validBefore: BigInt(now + LONG_SECONDS) } });
    const answered = show(turn, proof);
    fundAndSubmitLater(turn, payer, answered, proof);
  },

  not_yet_valid: async (turn) => {
    const { game, step } = turn;
    const payer = payerOf(turn);
    const validAfter = BigInt(Math.floor(game.world.now() / 1000) + 2 * step.count);
    start(game, present(game, hostile(turn, payer, { act: "not_yet_valid", change: { validAfter } })));
  },

  underpay: async (turn) => {
    const offer = offerOf(turn);
    const proof = hostile(turn, payerOf(turn), { act: "underpay", offer: { ...offer, price: offer.price - 1n } });
    show(turn, proof);
  },

  precompile: async (turn) => {
    const { game } = turn;
    // The identity precompile returns its input, which begins with the magic value of ERC-1271.
    const from = toAddress("0x0000000000000000000000000000000000000004");
    const offer = offerOf(turn);
    await fund(turn, offer, from, 1_000_000n);
    const proof = signProof(turn, {
      act: "precompile",
      from,
      account: null,
      offer,
      isHonest: false,
      signature: JUNK,
    });
    start(game, present(game, proof));
  },

  undeployed_harm: harmUndeployed,

  session_thief: async (turn) => start(turn.game, steal(turn)),
};

/** Later than every validity window of the service. */
const LONG_SECONDS = 7_200;
