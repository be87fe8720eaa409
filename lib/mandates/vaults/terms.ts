import { type Hex, hashTypedData } from "viem";
import type { Address } from "@/lib/core/address";
import type { Usdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { type PayeeList, payeeList } from "@/lib/vaults/payees";
import { type Terms, vaultAddress } from "@/lib/vaults/terms";
import { NETWORKS } from "@/lib/x402/networks";
import type { Mandate } from "../store";
import { type VaultMandateTypedData, vaultTypedDataOf } from "../typed-data";
import type { VaultRow } from "./store";

/** The vault that a mandate would have. Every change of the mandate changes it, until the owner signs. */
export type VaultDraft = { address: Address; terms: Terms; mandateHash: Hex; mandate: VaultMandateTypedData };

export function draftOf(
  m: Mandate,
  owner: Address,
  { signer, contractVersion }: Pick<Terms, "signer" | "contractVersion">,
): VaultDraft {
  const mandate = vaultTypedDataOf(m, owner, { signer, contractVersion });
  const mandateHash = hashTypedData(mandate);
  const terms: Terms = {
    contractVersion,
    token: NETWORKS[m.network].usdc,
    owner,
    signer,
    agent: m.vaultAgentKey,
    start: unixSeconds(m.validFrom),
    end: unixSeconds(m.validUntil),
    limit: m.limitAmount,
    perPayment: m.maxAmountPerPayment,
    release: releaseOf(m.vaultReleaseAmount, m.vaultReleaseSeconds),
    payees: listOf(m.vaultPayees)?.root ?? null,
    mandate: mandateHash,
  };
  return { address: vaultAddress(terms), terms, mandateHash, mandate };
}

/** The list whose Merkle root the terms contain; null for any payee. */
function listOf(payees: readonly Address[] | null): PayeeList | null {
  const list = payees && payeeList(payees);
  // The API refuses such lists.
  if (typeof list === "string") throw new Error(`a stored list of payees is ${list}`);
  return list;
}

const LISTS_MAX = 20;
/** Cached by root: hashing a thousand payees blocks the process for tens of milliseconds. */
const lists = new Map<Hex, PayeeList>();

/** The payees of a signed vault; null for any. */
export function payeesOf({ payeesRoot, payees }: Pick<VaultRow, "payeesRoot" | "payees">): PayeeList | null {
  if (payeesRoot === null) return null;
  const cachedList = lists.get(payeesRoot);
  if (cachedList) return cachedList;
  const list = listOf(payees);
  const [oldest] = lists.keys();
  if (oldest !== undefined && lists.size >= LISTS_MAX) lists.delete(oldest);
  if (list) lists.set(payeesRoot, list);
  return list;
}

/** The columns of a signed vault. */
export const columnsOf = ({ address, terms }: VaultDraft, payees: Address[] | null) => ({
  contractVersion: terms.contractVersion,
  address,
  owner: terms.owner,
  agentKey: terms.agent,
  startsAt: terms.start,
  endsAt: terms.end,
  limitAmount: terms.limit,
  perPayment: terms.perPayment,
  releaseAmount: terms.release?.amount ?? null,
  releaseSeconds: terms.release?.seconds ?? null,
  payeesRoot: terms.payees,
  payees,
  mandateHash: terms.mandate,
});

/** A vault whose terms the owner has signed. */
export type SignedVault = VaultRow & { address: Address; funding: NonNullable<VaultRow["funding"]>; terms: Terms };

/** Throws if the owner has not signed, because there are no terms then. */
export function signedVault(vault: VaultRow): SignedVault {
  const { contractVersion, address, owner, startsAt, endsAt, limitAmount, mandateHash, funding } = vault;
  if (
    !contractVersion ||
    !address ||
    !owner ||
    startsAt === null ||
    endsAt === null ||
    limitAmount === null ||
    !mandateHash ||
    !funding
  )
    throw new Error(`the vault of ${vault.mandateId} is not signed`);
  const terms: Terms = {
    contractVersion,
    token: NETWORKS[vault.network].usdc,
    owner,
    signer: vault.signer,
    agent: vault.agentKey,
    start: startsAt,
    end: endsAt,
    limit: limitAmount,
    perPayment: vault.perPayment,
    release: releaseOf(vault.releaseAmount, vault.releaseSeconds),
    payees: vault.payeesRoot,
    mandate: mandateHash,
  };
  return { ...vault, address, funding, terms };
}

const releaseOf = (amount: Usdc | null, seconds: number | null) =>
  amount === null || seconds === null ? null : { amount, seconds };
