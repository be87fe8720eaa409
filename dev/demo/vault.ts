import { setTimeout as sleep } from "node:timers/promises";
import { TesseraError } from "@tessera/client";
import { type Rpc, readVault, vaultOf } from "@tessera/client/vault";
import { type Address, toAddress } from "@/lib/core/address";
import { formatUsdc, toUsdc } from "@/lib/core/money";
import { type AgentActor, expectPaid, fetchRequirement, present, signingBody, signUnder } from "../actors/agents";
import type { Api } from "../actors/api";
import type { OwnerActor } from "../actors/owners";
import type { Transcript } from "./transcript";

const LIMIT = 1_500_000n;
const DAILY = 500_000n;
const PRICE = 200_000n;
const DAY_SECONDS = 86_400;
const DAYS = 3;

export type VaultParties = { buyer: AgentActor; vendor: AgentActor; owner: OwnerActor };
/** The chain, read directly. */
export type Node = { balanceOf: (account: Address) => Promise<bigint>; rpc: Rpc };

/** An owner signs a mandate with a vault, the agent pays from it, and the owner withdraws the rest. */
export async function playVault(
  api: Api,
  say: Transcript,
  { buyer, vendor, owner }: VaultParties,
  { balanceOf, rpc }: Node,
): Promise<void> {
  const ownAddress = toAddress(owner.account.address);
  say.heading("The research agent requests a mandate whose limit is released day by day");
  const intent = await buyer.tessera.mandates.create({
    naturalLanguage: "Buy data sets for three days",
    limitAmount: LIMIT.toString(),
    validForSeconds: DAYS * DAY_SECONDS,
    hostAllowlist: [new URL(api.baseUrl).host],
    vault: { release: { amount: DAILY.toString(), seconds: DAY_SECONDS } },
  });
  const mandateId = await owner.claim(intent.authorizationUrl);

  say.heading("Its owner signs it with a vault: one signature is the mandate and its money, without gas");
  const faucet = { json: { address: ownAddress, amount: LIMIT.toString() } };
  await api.call("Owner", "POST", "/api/devnet/faucet", faucet);
  const had = await balanceOf(ownAddress);
  const { vaultFile } = await owner.signWithVault(mandateId);
  const vault = vaultOf(vaultFile);
  say.note(`the owner derives the vault's address from its terms, without the service: ${vault.address}`);
  await reaches(buyer, mandateId, "open");
  const figures = async (when: string) => {
    const { code, counts, balance, isRevoked } = await readVault(rpc, vault);
    if (!counts) throw new Error(`the vault is ${code}`);
    say.note(
      `${when}: funded ${inUsdc(counts.funded)}, released ${inUsdc(counts.released)}, spent ${inUsdc(counts.spent)}, ` +
        `in the vault ${inUsdc(balance)}, in the owner's wallet ${inUsdc(await balanceOf(ownAddress))} USDC`,
    );
    return { code, isRevoked, ...counts, balance };
  };
  const opened = await figures("opened");
  say.check("the vault has the published code", opened.code, "open");
  say.check("the vault holds the limit", [opened.funded, opened.balance], [LIMIT, LIMIT]);
  say.check("the vault has released the first day's part", opened.released, DAILY);
  say.check("the owner's wallet paid for it", had - (await balanceOf(ownAddress)), LIMIT);

  say.heading("The agent pays from the vault, by the same two requests");
  const wanted = await fetchRequirement(api, buyer.name, vendor.tessera.receiveUrl(`${PRICE}`));
  const { xPaymentB64 } = await signUnder(buyer, mandateId, wanted);
  expectPaid(await present(api, buyer.name, wanted.resource, xPaymentB64));
  const paid = await figures("paid");
  say.check("the vault paid the price", [paid.spent, paid.balance], [PRICE, LIMIT - PRICE]);

  say.heading("More than the first day's part is not signed");
  const dear = { ...wanted, maxAmountRequired: `${DAILY}`, resource: vendor.tessera.receiveUrl(`${DAILY}`) };
  const refusedWith = async () => {
    const caught = await buyer.tessera.payments
      .sign({ ...signingBody(dear), mandateId })
      .catch((error: unknown) => error);
    return TesseraError.is(caught) && [caught.status, caught.code];
  };
  say.check("422 vault_not_released", await refusedWith(), [422, "vault_not_released"]);

  say.heading("The owner takes everything back, by one signature that the chain verifies");
  const { status } = await owner.revokeVault(mandateId);
  say.check("the mandate is revoked", status, "revoked");
  await reaches(buyer, mandateId, "closed");
  const closed = await figures("revoked");
  say.check("the vault is revoked on the chain", closed.isRevoked, true);
  say.check("nothing is left in the vault", closed.balance, 0n);
  say.check("the owner has everything but the price", had - (await balanceOf(ownAddress)), PRICE);
  say.check("nothing more is signed: 403 mandate_revoked", await refusedWith(), [403, "mandate_revoked"]);
}

const inUsdc = (atomic: bigint) => formatUsdc(toUsdc(atomic));

const LOOK_MS = 1_000;

async function reaches({ tessera }: AgentActor, mandateId: string, state: "open" | "closed"): Promise<void> {
  for (;;) {
    const { vault } = await tessera.mandates.get(mandateId);
    if (vault?.state === state) return;
    if (vault?.state === "failed") throw new Error(`the vault has failed: ${vault.failure}`);
    await sleep(LOOK_MS);
  }
}
