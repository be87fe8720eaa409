import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, hashTypedData, serializeErc6492Signature } from "viem";
import type { Authorization } from "@/lib/x402/authorization";
import { cancellationCall, cancellationTypedData } from "@/lib/x402/cancellation";
import { signDigest } from "@/lib/x402/signature";
import { submission } from "@/lib/x402/submission";
import type { SmartWallet } from "./cast";
import { itemAt, offerOf, type Signing, sellerOf, signProof, submit, type Turn, uplOf } from "./game";
import type { Proof } from "./memory";
import { addressOf, fresh, fund, show } from "./strangers";
import { isClaimed } from "./waits";
import { addressOfWallet, closing, creation, creationAndCall, WALLET_FACTORY } from "./wallet-factory";

// Payers whose smart wallet is not deployed yet (ERC-6492).

type DeployOf = (authorization: Authorization, signature: Hex) => Hex;

const signedBy = (
  turn: Turn,
  { key, address }: SmartWallet,
  deployOf: DeployOf,
  signing: Pick<Signing, "act" | "isHonest"> & Partial<Signing>,
): Proof =>
  signProof(turn, {
    from: address,
    account: key,
    offer: offerOf(turn),
    wrap: (authorization, signature) =>
      serializeErc6492Signature({ address: WALLET_FACTORY, data: deployOf(authorization, signature), signature }),
    ...signing,
  });

/** Time for the servers to claim a proof. */
const CLAIM_MS = 300;

/** An honest payer pays once, while a stranger deploys the wallet, or twice at once. */
export async function payUndeployed(turn: Turn): Promise<void> {
  const { game, step } = turn;
  const wallet = itemAt(game.cast.wallets, step.payer);
  const signing = { act: "undeployed_buy", isHonest: true } as const;
  const deploy = creation("create", wallet);
  if (step.count === 1)
    return void show(
      turn,
      signedBy(turn, wallet, () => deploy, signing),
    );
  if (step.count === 2) {
    const proof = signedBy(turn, wallet, () => creationAndCall(wallet, { to: wallet.keeper, data: "0x" }), signing);
    show(turn, proof);
    await isClaimed(game.world, proof.authorization.nonce, CLAIM_MS);
    const chain = game.world.on(proof.network);
    return void (await chain.submitCall(deploy, WALLET_FACTORY).catch(() => undefined));
  }
  const offers = [offerOf(turn), uplOf(sellerOf(turn), BigInt(step.amount))];
  const proofs = offers.map((offer) => signedBy(turn, wallet, () => deploy, { ...signing, offer }));
  show(turn, ...proofs);
}

/** A hostile payer: its wallet or its deployment changes on the chain, or its deployment spends the authorization. */
export async function harmUndeployed(turn: Turn): Promise<void> {
  const { game, step, random } = turn;
  const key = fresh(turn, "keeper");
  const walletKey = { keeper: addressOf(key), salt: random.hex(32) };
  const offer = offerOf(turn);
  const chain = game.world.on(offer.network);
  const isFickle = step.count === 2;
  const address = await addressOfWallet(chain.client, walletKey, isFickle ? "fickleWalletOf" : "walletOf");
  const wallet = { ...walletKey, key, address };
  if (step.count === 1) return spendWithin(turn, wallet);
  await fund(turn, offer, address, offer.price);
  const deploy = creation(isFickle ? "createFickle" : "createWhileOpen", wallet);
  const proof = signedBy(turn, wallet, () => deploy, { act: "undeployed_turned", isHonest: false, offer });
  show(turn, proof);
  await sleep(25 * step.count);
  const call = (data: Hex) => chain.submitCall(data, WALLET_FACTORY).catch(() => undefined);
  await call(closing(true));
  game.later.push({
    at: turn.at + 1 + step.count,
    work: async () => {
      await call(closing(false));
      await call(deploy);
      await submit(game, proof);
    },
  });
}

/** The deployment itself uses or cancels the authorization: nothing is left for the service to send. */
async function spendWithin(turn: Turn, wallet: SmartWallet): Promise<void> {
  const offer = offerOf(turn);
  const isUsed = turn.step.amount % 2_000 === 0;
  if (isUsed) await fund(turn, offer, wallet.address, offer.price);
  const deployOf: DeployOf = (authorization, signature) => {
    if (isUsed) return creationAndCall(wallet, submission(offer.network, authorization, signature));
    const { from, nonce } = authorization;
    const digest = hashTypedData(cancellationTypedData(offer.network, from, nonce));
    return creationAndCall(wallet, cancellationCall(offer.network, from, nonce, signDigest(digest, wallet.key.key)));
  };
  const act = isUsed ? "undeployed_spender" : "undeployed_canceller";
  show(turn, signedBy(turn, wallet, deployOf, { act, isHonest: false, offer }));
}
