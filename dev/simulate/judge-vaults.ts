import { z } from "zod";
import { toAddress } from "@/lib/core/address";
import { codeOf } from "../actors/api";
import type { Facts } from "./chain";
import type { Game } from "./game";
import { count, type Memory, type VaultMemory } from "./memory";

/** Vault events that must happen in a long enough run. */
const [OPENED, PAID, CLOSED] = ["a vault was opened", "a vault paid", "a vault was closed"] as const;
const REFUNDED = "a seller's refund came to a closed vault";
export const VAULT_ENDS: readonly string[] = [OPENED, PAID, CLOSED, REFUNDED];

const view = z.object({
  mandate: z.object({
    status: z.string(),
    vault: z
      .object({
        state: z.string(),
        funded: z.string(),
        balance: z.string(),
        spent: z.string(),
        returned: z.string(),
        isRevoked: z.boolean(),
        pocket: z.object({ address: z.string(), balance: z.string() }).nullable(),
      })
      .nullable(),
  }),
});
export type VaultView = z.output<typeof view>["mandate"];

/** The chain's state at a vault's address. Strangers can send money there before the vault is opened. */
export type OnChain = { isOpened: boolean; funded: bigint; spent: bigint; balance: bigint; isRevoked: boolean };

const UNOPENED = { isOpened: false, funded: 0n, spent: 0n, isRevoked: false };

/** Compares what agents and owners read about vaults with the chain. */
export async function judgeVaults({ world, cast, memory }: Game, facts: Facts): Promise<string[]> {
  const found: string[] = [];
  for (const vault of memory.vaults) {
    const seller = cast.sellers[vault.owner];
    if (!seller) throw new Error("a vault without an owner");
    const { agent, account } = seller;
    const contract = await world.chain.vault(vault.address);
    const balance = await world.chain.balanceOf(vault.address);
    const chain = { ...UNOPENED, ...(contract && { isOpened: true, ...contract }), balance };
    const response = await agent.call("GET", `/api/mandates/agent/${vault.mandateId}`);
    const said = view.safeParse(response.body).data?.mandate;
    const paidAmount = paidBy(vault, account.account.address, facts);
    if (contract) count(memory.counts, OPENED);
    if (paidAmount > 0n) count(memory.counts, PAID);
    if (said?.vault?.state === "closed") count(memory.counts, CLOSED);
    found.push(...excessOf(vault, paidAmount, memory));
    if (!said) found.push(`the mandate ${vault.mandateId} was answered ${response.status} ${codeOf(response)}`);
    else found.push(...liesAbout(vault, said, chain));
    // An unopened vault has paid nobody, and money sent to its address cannot be returned.
    if (!contract || !said) continue;
    // The agent may not have received the pocket's address.
    if (said.vault?.pocket) vault.pocket = toAddress(said.vault.pocket.address);
    const remaining = balance + (vault.pocket ? await world.chain.balanceOf(vault.pocket) : 0n);
    const refunds = refundsOf(vault, account.account.address, facts);
    if (refunds.arrived > 0n) count(memory.counts, REFUNDED);
    if (refunds.inPocket > 0n) count(memory.counts, "a seller's refund came to a pocket");
    found.push(...keptOf(vault, said, { ...refunds, left: remaining }));
  }
  return found;
}

/** Nothing signed in a seed expires while it is played, so all of it could be paid. */
export function excessOf({ mandateId, address, released, funds }: VaultMemory, paidAmount: bigint, { proofs }: Memory) {
  const signed = proofs
    .filter(({ authorization: { from } }) => from === address)
    .reduce((sum, { authorization: { value } }) => sum + value, 0n);
  const most = released < funds ? released : funds;
  return signed > most || paidAmount > most
    ? [`the vault of ${mandateId} signed ${signed} and paid ${paidAmount}, and may pay ${most}`]
    : [];
}

const paidBy = ({ address }: VaultMemory, owner: string, { transfers }: Facts): bigint =>
  transfers
    .filter(({ from, to }) => from === address.toLowerCase() && to !== owner.toLowerCase())
    .reduce((sum, { value }) => sum + value, 0n);

/** Transfers on the chain. `arrived`: from sellers after the vault ended; `home`: from vault and pocket to the owner. */
function refundsOf({ address, pocket, refunds }: VaultMemory, owner: string, { transfers }: Facts) {
  const sum = (isOne: (transfer: Facts["transfers"][number]) => boolean) =>
    transfers.filter(isOne).reduce((all, { value }) => all + value, 0n);
  const own = [address, pocket].map((account) => account?.toLowerCase());
  const isRefund = ({ from, to }: { from: string; to: string }) =>
    refunds.some((each) => each.from.toLowerCase() === from && each.to.toLowerCase() === to);
  return {
    arrived: sum(isRefund),
    inPocket: sum((transfer) => isRefund(transfer) && transfer.to === pocket?.toLowerCase()),
    home: sum(({ from, to }) => own.includes(from) && to === owner.toLowerCase()),
  };
}

export type Refunded = { arrived: bigint; home: bigint; left: bigint };

/** Sellers' refunds that a closed vault or its pocket kept, and differences between the page and the chain. `left`: the sum in both. */
export function keptOf({ mandateId, refunds }: VaultMemory, { vault }: VaultView, { arrived, home, left }: Refunded) {
  const name = `the vault of ${mandateId}`;
  // Without refunds, the servers had no time to search for transfers.
  if (refunds.length === 0 || !vault) return [];
  return [
    ...(left > 0n ? [`${name} was sent back ${arrived} after its end, and has ${left} with its pocket`] : []),
    ...(home < arrived ? [`${name} was sent back ${arrived} after its end, and its owner got ${home}`] : []),
    ...(BigInt(vault.returned) !== home
      ? [`${name} is said to have returned ${vault.returned}, and the chain says ${home}`]
      : []),
    ...(vault.pocket && vault.pocket.balance !== "0" && left === 0n
      ? [`the pocket of ${mandateId} is said to have ${vault.pocket.balance}, and is empty`]
      : []),
  ];
}

/** Contradictions between the chain and the responses about a vault: at its signature, its revocation and the end. */
export function liesAbout({ mandateId, replies }: VaultMemory, { status, vault }: VaultView, chain: OnChain): string[] {
  const name = `the vault of ${mandateId}`;
  const lies = replies.flatMap(({ to, answer }) =>
    answer && answer.status >= 500 && answer.status !== 503
      ? [`${name}: the ${to} was answered ${answer.status} ${answer.text.slice(0, 120)}, an undocumented response`]
      : [],
  );
  const wasTold = (what: VaultMemory["replies"][number]["to"]) =>
    replies.some(({ to, answer }) => to === what && answer?.status === 200);
  if (!vault) {
    if (wasTold("signature")) lies.push(`${name} was signed, and the mandate has none`);
    if (chain.isOpened && chain.balance > 0n)
      lies.push(`${name} has ${chain.balance} on the chain, and the mandate has none`);
    return lies;
  }
  const { state, returned: _, pocket: __, ...read } = vault;
  for (const member of ["funded", "balance", "spent"] as const) {
    if (BigInt(read[member]) !== chain[member])
      lies.push(`${name} is said to have ${member} ${read[member]}, and the chain says ${chain[member]}`);
  }
  if (read.isRevoked !== chain.isRevoked)
    lies.push(`${name} is said to be ${read.isRevoked ? "" : "not "}revoked on the chain, which says otherwise`);
  const balance = chain.isOpened ? chain.balance : 0n;
  const isOver = wasTold("revocation") || chain.isRevoked;
  if (isOver && (state !== "closed" || status !== "revoked" || balance > 0n))
    lies.push(`${name} was revoked, and is ${state} with ${balance}; the mandate is ${status}`);
  if (state === "open" && !chain.isOpened) lies.push(`${name} is said to be open, and the chain has no such contract`);
  if ((state === "closed" || state === "failed") && balance > 0n)
    lies.push(`${name} is ${state}, and has ${balance} on the chain`);
  return lies;
}
