import { type Address, toAddress } from "@/lib/core/address";
import type { Account } from "./cast";
import { offerOf, present, type Signing, signProof, start, type Turn } from "./game";
import type { Proof } from "./memory";

/** A payer with a new account. */
export const fresh = ({ game, at }: Turn, name: string): Account => game.cast.account(`${name} ${at}`);
export const addressOf = ({ account }: Account): Address => toAddress(account.address);

export const hostile = (turn: Turn, payer: Account, signing: Partial<Signing> & Pick<Signing, "act">): Proof =>
  signProof(turn, { from: addressOf(payer), account: payer, offer: offerOf(turn), isHonest: false, ...signing });

/** Presents a proof without waiting for the response. */
export function show({ game }: Turn, ...proofs: Proof[]): Promise<unknown> {
  const answered = Promise.all(proofs.map((proof) => present(game, proof)));
  start(game, answered);
  return answered;
}

type Sold = Pick<Proof, "network">;

/** Mints money and mines it before the next request. */
export async function fund({ game }: Turn, { network }: Sold, to: string, value: bigint): Promise<void> {
  const chain = game.world.on(network);
  await chain.mint(to, value);
  await chain.mine(1);
}
