import { encodeFunctionData, size } from "viem";
import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { VAULT_ABI } from "@/lib/vaults/contracts";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import type { Answer } from "../actors/api";
import { askFor, payAbroad, signedByMandate } from "./buyers";
import { indexOf, offerOnBase, orNull, present, sellerOf, start, submit, type Turn, uplOf } from "./game";
import { takeAway } from "./hostile";
import type { VaultMemory } from "./memory";
import type { Act, VAULTS } from "./schedule";
import { addressOf, fresh, fund, hostile } from "./strangers";
import { undo } from "./undone";
import { isRead, isVault, mined } from "./waits";

/** Time for the servers to send an opening, and to read the vault after its block. */
const SEEN_MS = 300;
const OPEN_MS = 3_000;
const CLOSED_MS = 5_000;
const VALID_SECONDS = 604_800;
/** The longest signature that the service reads. */
const SIGNATURE_BYTES_MAX = 4_096;
/** Longer than a seed, so that only the first half of a limit is released. */
const RELEASE_SECONDS = 86_400;
/** More than a vault tolerates uncounted. */
const GIFT = 1_500_000n;
/** Percentage of the limit, when the owner funds less than all of it. */
const FUNDED_PERCENT = 60n;
/** An overdraft: this many concurrent payments of 40 % of the vault's money each. */
const OVERDRAFT = { payments: 4, percent: 40n };
/** A refund is this multiple of the step's amount: far more than a vault keeps for the next day. */
const REFUND_TIMES = 100;
/** Acts that hide a transfer, so that nobody can know of it. */
const HIDING: readonly Act[] = ["hide_logs", "front_run_hidden"];

const fundingData = z.object({
  message: z.object({ value: z.string(), validBefore: z.string() }),
  vault: z.object({ address: z.string() }),
});
const permitData = z.object({
  permit: z.object({ message: z.object({ deadline: z.string() }) }),
  vault: z.object({ address: z.string() }),
});

type Owner = ReturnType<typeof sellerOf>["owner"];
const signed = (owner: Owner, data: unknown) =>
  owner.account.signTypedData(data as Parameters<typeof owner.account.signTypedData>[0]);

/** The owner signs a new mandate with a vault. Null if faults prevented the signature. */
async function openVault(turn: Turn): Promise<VaultMemory | null> {
  const { game, step } = turn;
  const { agent, owner } = sellerOf(turn);
  const limit = BigInt(10 * step.amount);
  const released = step.payer % 3 === 0 ? limit / 2n : limit;
  const release = { amount: released.toString(), seconds: RELEASE_SECONDS };
  const intent = await agent.tessera.mandates
    .create({
      naturalLanguage: "Buy what the simulation says, from a vault",
      limitAmount: limit.toString(),
      validForSeconds: VALID_SECONDS,
      ...(released < limit && { vault: { release } }),
    })
    .catch(() => null);
  const mandateId = intent && (await owner.claim(intent.authorizationUrl).catch(() => null));
  if (!mandateId) return null;
  const path = `/api/mandates/${mandateId}`;
  const funding = step.payer % 4 === 0 ? "permit" : "now";
  const funds = funding === "now" && step.payer % 3 === 1 ? (limit * FUNDED_PERCENT) / 100n : limit;
  const amount = funds < limit ? `&amount=${funds}` : "";
  const unsigned = await orNull(owner.call("GET", `${path}/typed-data?mode=vault&funding=${funding}${amount}`));
  const created = unsigned && (await signaturesOf(owner, unsigned, funding));
  if (!created) return null;
  const { address, json } = created;
  const startsAt = Math.floor(game.world.now() / 1_000);
  const vault: VaultMemory = {
    mandateId,
    owner: indexOf(turn),
    address,
    startsAt,
    released,
    funds,
    isEnded: false,
    pocket: null,
    refunds: [],
    replies: [],
  };
  game.memory.vaults.push(vault);
  const response = await orNull(owner.call("POST", `${path}/signature`, json));
  vault.replies.push({ to: "signature", answer: response });
  return vault;
}

/** The signatures that the signing page sends for the typed data; null for any other response. */
async function signaturesOf(owner: Owner, { body }: Answer, funding: "now" | "permit") {
  const mode = "vault";
  if (funding === "now") {
    const data = fundingData.safeParse(body).data;
    if (!data) return null;
    const { value: amount, validBefore } = data.message;
    const json = { mode, funding, signature: await signed(owner, body), amount, validBefore };
    return { address: toAddress(data.vault.address), json };
  }
  const data = permitData.safeParse(body).data;
  if (!data) return null;
  const [signature, permitSignature] = [
    await signed(owner, body),
    await signed(owner, (body as { permit: unknown }).permit),
  ];
  const { deadline } = data.permit.message;
  return { address: toAddress(data.vault.address), json: { mode, funding, signature, permitSignature, deadline } };
}

/** A vault of this seller that can pay, unless faults prevent it. Opens one if there is none. */
async function payable(turn: Turn): Promise<VaultMemory | null> {
  const { world, memory } = turn.game;
  const known = memory.vaults.findLast(({ owner, isEnded }) => owner === indexOf(turn) && !isEnded);
  const vault = known ?? (await openVault(turn));
  if (!vault) return null;
  await mined(world, isVault("open", world, vault.mandateId, OPEN_MS));
  // The chain's clock may be behind the servers'.
  const early = vault.startsAt - (await world.chain.time());
  if (early > 0) await world.pass(early);
  await isRead(world, SEEN_MS);
  return vault;
}

const by = (turn: Turn, { mandateId }: VaultMemory) => ({ agent: sellerOf(turn).agent, mandateId });

/** Buys from the vault. Whoever sees the payment may submit it first. */
async function buy(turn: Turn): Promise<void> {
  const { game, step } = turn;
  const vault = await payable(turn);
  if (!vault) return;
  const proof = await signedByMandate(turn, offerOnBase(turn), "vault_buy", by(turn, vault));
  if (!proof) return;
  if (step.count === 1) await submit(game, proof);
  if (step.count < 3) start(game, present(game, proof));
  else await payAbroad(game, turn, step.amount > 50_000, by(turn, vault));
}

/** Presents a payment with bytes after its signature, which a vault of the first version would accept, and then as it was signed. */
async function padded(turn: Turn): Promise<void> {
  const { game } = turn;
  const vault = await payable(turn);
  const proof = vault && (await signedByMandate(turn, offerOnBase(turn), "vault_padded", by(turn, vault)));
  if (!proof) return;
  const sent = decodeHeader(proof.header) as { payload: object };
  const signature = `${proof.signature}${"ab".repeat(SIGNATURE_BYTES_MAX - size(proof.signature))}`;
  const header = encodeHeader({ ...sent, payload: { ...sent.payload, signature } });
  for (const form of [{ ...proof, header }, proof]) await present(game, form);
}

/** Makes more concurrent payments than the vault has money for. */
async function overdraw(turn: Turn): Promise<void> {
  const { game } = turn;
  const vault = await payable(turn);
  if (!vault) return;
  const offer = uplOf(sellerOf(turn), (vault.funds * OVERDRAFT.percent) / 100n);
  const pay = async () => {
    const proof = await signedByMandate(turn, offer, "vault_overdraw", by(turn, vault));
    if (proof) await present(game, proof);
  };
  start(game, Promise.all(Array.from({ length: OVERDRAFT.payments }, pay)));
}

/** Ends the mandate through the service, with or without the owner's signature for the chain. A payment may race it. */
async function revoke(turn: Turn, vault: VaultMemory): Promise<void> {
  const { game, step } = turn;
  if (step.count === 3) start(game, buy(turn));
  vault.isEnded = true;
  const { owner } = sellerOf(turn);
  const vaultSignature = step.count === 1 ? undefined : await revocationOf(turn, vault);
  const path = `/api/mandates/${vault.mandateId}/revoke`;
  const response = await orNull(owner.call("POST", path, vaultSignature && { vaultSignature }));
  vault.replies.push({ to: "revocation", answer: response });
}

async function revocationOf(turn: Turn, { mandateId }: VaultMemory) {
  const { owner } = sellerOf(turn);
  const data = await orNull(owner.call("GET", `/api/mandates/${mandateId}/revocation`));
  return data?.status === 200 ? await signed(owner, data.body) : undefined;
}

const refusal = z.object({ paymentRecordId: z.string() });
const shown = z.object({
  mandate: z.object({ vault: z.object({ pocket: z.object({ address: z.string() }).nullable() }) }),
});

/** The agent reports that a seller refuses contracts and requests again; from then on the vault has a pocket. */
async function givePocket(turn: Turn, vault: VaultMemory): Promise<void> {
  const { plan, cast } = turn.game;
  const { agent } = sellerOf(turn);
  const payTo = cast.account("picky").account.address;
  const url = `https://picky-${plan.seed}-${turn.at}.example.com/`;
  const offer = { ...uplOf(sellerOf(turn), BigInt(turn.step.amount)), url, payTo };
  const response = await askFor(turn, offer, by(turn, vault));
  const id = refusal.safeParse(response?.body).data?.paymentRecordId;
  if (!id) return;
  const reason = "invalid_exact_evm_payload_signature";
  await orNull(agent.call("POST", `/api/payments/${id}/refusal`, { reason }));
  await askFor(turn, offer, by(turn, vault));
  const { body } = (await orNull(agent.call("GET", `/api/mandates/agent/${vault.mandateId}`))) ?? {};
  const pocket = shown.safeParse(body).data?.mandate.vault.pocket;
  vault.pocket = pocket ? toAddress(pocket.address) : null;
}

/** After the vault was closed, sellers refund by ordinary transfers to their payers: the vault and its pocket. */
async function refund(turn: Turn): Promise<void> {
  const { game, step } = turn;
  const { world, plan } = game;
  const isHidden = plan.steps.some(({ act }) => HIDING.includes(act));
  const vault = isHidden ? null : await payable(turn);
  if (!vault) return;
  if (step.count > 1) await givePocket(turn, vault);
  await revoke(turn, vault);
  await mined(world, isVault("closed", world, vault.mandateId, CLOSED_MS));
  const seller = fresh(turn, "refunding seller");
  for (const to of [vault.address, ...(vault.pocket ? [vault.pocket] : [])]) {
    const offer = { ...uplOf(sellerOf(turn), BigInt(REFUND_TIMES * step.amount)), payTo: to };
    const transfer = hostile(turn, seller, { act: "vault_refund", offer });
    await fund(turn, offer, addressOf(seller), transfer.authorization.value);
    vault.refunds.push({ from: addressOf(seller), to });
    await submit(game, transfer);
  }
  if (step.amount % 20_000 === 0) await undo(turn, world.chain);
}

/** Withdraws everything on the chain, without the service. */
async function exit(turn: Turn): Promise<void> {
  const { world } = turn.game;
  const vault = await payable(turn);
  const signature = vault && (await revocationOf(turn, vault));
  if (!signature) return;
  vault.isEnded = true;
  const data = encodeFunctionData({ abi: VAULT_ABI, functionName: "revokeSigned", args: [signature] });
  // A rejection counts as a full pool.
  await world.chain.submitCall(data, vault.address).catch(() => undefined);
  if (turn.step.count === 1) await undo(turn, world.chain);
}

/** Acts of vault owners and of the agents that pay from vaults. */
export const ENTRUST: Record<keyof typeof VAULTS, (turn: Turn) => Promise<void>> = {
  vault_open: async (turn) => start(turn.game, openVault(turn)),

  /** The block with the opening is replaced. */
  vault_open_undone: async (turn) => {
    const vault = await openVault(turn);
    if (!vault) return;
    await isRead(turn.game.world, SEEN_MS);
    await undo(turn, turn.game.world.chain);
  },

  /** The owner signs and immediately spends the money. */
  vault_open_starved: async (turn) => {
    const { account } = sellerOf(turn);
    const { chain } = turn.game.world;
    const value = toUsdc(await chain.balanceOf(account.account.address));
    turn.game.memory.starved.add(indexOf(turn));
    const opening = openVault(turn);
    if (turn.step.count === 1) await opening;
    await takeAway(turn, account, { network: "base", authorization: { value } });
    await opening;
  },

  vault_buy: buy,
  vault_overdraw: overdraw,
  vault_padded: padded,

  /** A payment to an outside host in a block that is replaced; it is not made again. */
  vault_abroad_undone: async (turn) => {
    const vault = await payable(turn);
    const proof = vault && (await payAbroad(turn.game, turn, true, by(turn, vault)));
    if (proof) await undo(turn, proof);
  },

  /** Until the gift is counted, the vault refuses every payment. */
  vault_gift: async (turn) => {
    const vault = await payable(turn);
    if (!vault) return;
    await turn.game.world.chain.mint(vault.address, GIFT);
    vault.funds += GIFT;
  },

  vault_revoke: async (turn) => {
    const vault = await payable(turn);
    if (vault) await revoke(turn, vault);
  },

  vault_exit: exit,
  vault_refund: refund,
};
