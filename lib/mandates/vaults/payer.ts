import { type Hex, toHex } from "viem";
import type { Address } from "@/lib/core/address";
import { add, subtract, toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import type { Ctx, System } from "@/lib/platform/context";
import { readUpTo } from "@/lib/settlements/observer/read-blocks";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import {
  type ChainClock,
  type PaymentRefusal,
  paymentRefusal,
  pullTotal,
  releasedAt,
  type VaultStanding,
} from "@/lib/vaults/rules";
import { releasedBy } from "@/lib/vaults/terms";
import { type Authorization, authorizationTypedData } from "@/lib/x402/authorization";
import { withDomainType } from "@/lib/x402/domain-type";
import { canonicalSignature, recoverPayer } from "@/lib/x402/signature";
import { mandateErrors } from "../errors";
import { findReservedKeys, type Guard } from "../reservations/store";
import type { Mandate } from "../store";
import { readOwner } from "./chain";
import { vaultErrors } from "./errors";
import { signedByVault } from "./keys";
import * as operations from "./operation-store";
import { type Filling, filling } from "./pocket-store";
import type { AgentAuthorization } from "./schemas";
import * as store from "./store";
import { payeesOf, type SignedVault } from "./terms";

const WINDOW_SECONDS_MAX = 3_600;
/** The validity suggested to an agent that has to sign. */
const SUGGESTED_SECONDS = 300;

/** `nonce`, `until`: what the seller's challenge prescribes. */
export type VaultPayment = { to: Address; value: Usdc; nonce?: Hex; until?: Date | undefined };

/** How a vault makes one payment. */
export type VaultPayer = {
  address: Address;
  /** Checks again, in the statement that writes the payment, that the money is there and released. */
  guard: Guard;
  /** Returns the authorization to sign in place of a wallet's. */
  authorize: (ordinary: Omit<Authorization, "from">) => Authorization;
  sign: (authorization: Authorization) => Hex;
};

/**
 * The payer of a payment that the mandate allows, by the rules of the vault's contract. Draws missing money from the owner's
 * wallet if the owner permitted it. Throws the vault's refusal of the payment, and agent_authorization_required,
 * agent_authorization_invalid, agent_authorization_unexpected, agent_nonce_used, ChainUnavailable.
 */
export async function vaultPayer(
  ctx: Ctx,
  { mandate, vault }: { mandate: Mandate; vault: SignedVault },
  payment: VaultPayment,
  byAgent: AgentAuthorization | undefined,
): Promise<VaultPayer> {
  const { address, terms } = vault;
  if (byAgent && terms.agent === null) throw vaultErrors.agent_authorization_unexpected();
  assertReady(ctx, vault);
  const clock = await clockOf(ctx, vault);
  const toPocket = await filling(ctx.db, mandate.id, clock.earliest);
  const standing = standingOf(vault, mandate, toPocket);
  const payees = payeesOf(vault);
  const reason = paymentRefusal({ terms, payees }, payment, standing, clock);
  // Money on its way to the pocket is counted twice until the chain shows it there.
  if (toPocket?.endsAt === null && (reason === "not_funded" || reason === "not_released"))
    throw vaultErrors.vault_not_ready();
  if (reason) throw await refusal(ctx, reason, vault, payment, standing, clock);
  const agents = await agentsPart(ctx, vault, payment, byAgent);
  return {
    address,
    guard: store.covers(payment.value, releasedBy(terms, clock.earliest), clock.earliest),
    authorize: (ordinary) => agents?.authorization ?? until(terms, { ...ordinary, from: address }),
    sign: (authorization) => signedByVault(ctx, vault, authorization, agents?.signature ?? null),
  };
}

/** Ends the authorization's validity at the vault's end, from which the vault refuses it. */
export const until = ({ end }: SignedVault["terms"], a: Authorization): Authorization => ({
  ...a,
  validBefore: a.validBefore < BigInt(end) ? a.validBefore : BigInt(end),
});

export function assertReady({ now }: System, { state, readBlock, isDeployed, failure, terms }: SignedVault): void {
  if (state === "failed") throw vaultErrors.vault_failed({ failure });
  if (state === "closing" || state === "closed") {
    throw unixSeconds(now()) >= terms.end ? mandateErrors.mandate_expired() : mandateErrors.mandate_revoked();
  }
  if (state !== "open" || readBlock === null || !isDeployed) throw vaultErrors.vault_not_ready();
}

/** Bounds of the chain's time: our clock and the time of the newest block read. */
export async function clockOf(system: System, { network }: SignedVault): Promise<ChainClock> {
  const cursor = await readUpTo(system, network);
  if (!cursor) throw vaultErrors.vault_not_ready();
  const [ours, chains] = [unixSeconds(system.now()), unixSeconds(cursor.blockTime)];
  return { earliest: Math.min(ours, chains), latest: Math.max(ours, chains) };
}

/** `store.covers` is the same in SQL. */
export const standingOf = (
  vault: SignedVault,
  { pendingAmount, spentAmount }: Mandate,
  filling: Filling | null,
): VaultStanding => ({
  ...vault,
  onItsWay: add(add(pendingAmount, subtract(spentAmount, vault.committed)), filling?.amount ?? ZERO),
});

export async function refusal(
  ctx: Ctx,
  reason: PaymentRefusal,
  vault: SignedVault,
  { value }: VaultPayment,
  standing: VaultStanding,
  clock: ChainClock,
): Promise<Error> {
  const about = { vault: vault.address };
  switch (reason) {
    case "revoked":
      return mandateErrors.mandate_revoked();
    case "ended":
      return mandateErrors.mandate_expired();
    case "not_started":
      return vaultErrors.vault_not_ready();
    case "over_payment_cap":
      return mandateErrors.mandate_payment_cap_exceeded();
    case "payee_not_listed":
      return vaultErrors.payee_not_listed(about);
    case "not_counted":
      await request(ctx, vault, { kind: "count" });
      return vaultErrors.vault_not_ready();
    case "not_released": {
      const releaseTime = releasedAt(vault.terms, add(standing.spent, standing.onItsWay), value);
      if (releaseTime === null) return mandateErrors.mandate_insufficient_budget();
      const retryAfterSeconds = Math.max(1, releaseTime - clock.earliest);
      return vaultErrors.vault_not_released({
        ...about,
        availableAt: fromUnixSeconds(releaseTime).toISOString(),
        retryAfterSeconds,
      });
    }
    case "not_funded":
      return notFunded(ctx, vault, toUsdc(value + standing.onItsWay - standing.balance), clock);
    default:
      return reason satisfies never;
  }
}

/** Draws the missing money, if the owner permitted it and has it. Returns the error to throw. */
async function notFunded(ctx: Ctx, vault: SignedVault, missing: Usdc, { earliest }: ChainClock): Promise<Error> {
  const { address, network, terms, funded } = vault;
  const about = { vault: address, missing: missing.toString() };
  if (vault.funding === "now") return vaultErrors.vault_not_funded(about);
  const { balance, allowance, inVault } = await readOwner(ctx.chains[network], terms.owner, address);
  // The money was drawn in a block that was not read yet. A smaller increase may come from anyone, in each block: the vault draws
  // up to a total, and the contract counts such money in it.
  if (inVault >= vault.balance + missing) {
    await store.markStale(ctx.db, network, [address]);
    return vaultErrors.vault_not_ready();
  }
  const released = releasedBy(terms, earliest);
  const total = pullTotal(terms, { funded, missing }, { released, drawable: [balance, allowance] });
  if (total === null) {
    const funds = { ownerBalance: balance.toString(), allowance: allowance.toString() };
    return vaultErrors.vault_not_funded({ ...about, ...funds });
  }
  await request(ctx, vault, { kind: "pull", amount: total });
  return vaultErrors.vault_not_ready();
}

const request = (
  { db, now }: System,
  { mandateId, network }: SignedVault,
  operation: { kind: "pull" | "count"; amount?: Usdc },
) => operations.add(db, { mandateId, network, ...operation, createdAt: now() });

/** The agent's signed authorization, which becomes the payment's; null if the terms name no agent key. */
async function agentsPart(
  ctx: Ctx,
  { address, network, terms }: SignedVault,
  { to, value, nonce: prescribedNonce, until: prescribedEnd }: VaultPayment,
  agentAuthorization: AgentAuthorization | undefined,
): Promise<{ authorization: Authorization; signature: Hex } | null> {
  if (terms.agent === null) return null;
  const now = ctx.now();
  const end = Math.min(terms.end, prescribedEnd ? unixSeconds(prescribedEnd) : terms.end);
  const until = Math.min(unixSeconds(addSeconds(now, SUGGESTED_SECONDS)), end);
  const nonce: Hex = prescribedNonce ?? toHex(crypto.getRandomValues(new Uint8Array(32)));
  const suggested = { from: address, to, value, validAfter: 0n, validBefore: BigInt(until), nonce };
  const toSign = () => ({
    vault: address,
    factory: VAULT_CONTRACTS[terms.contractVersion].factory.address,
    agentKey: terms.agent,
    typedData: withDomainType(authorizationTypedData(network, suggested)),
  });
  if (!agentAuthorization) throw vaultErrors.agent_authorization_required(toSign());
  const { signature, ...fields } = agentAuthorization;
  const authorization: Authorization = { from: address, to, value, ...fields };
  const nowSeconds = BigInt(unixSeconds(now));
  const latest = nowSeconds + BigInt(WINDOW_SECONDS_MAX);
  const { validAfter, validBefore } = authorization;
  const isInWindow =
    validAfter <= nowSeconds && validBefore > nowSeconds && validBefore <= latest && validBefore <= BigInt(end);
  const isPrescribed = authorization.nonce === (prescribedNonce ?? authorization.nonce);
  if (!isInWindow || !isPrescribed || recoverPayer(network, authorization, signature) !== terms.agent)
    throw vaultErrors.agent_authorization_invalid(toSign());
  const used = await findReservedKeys(ctx.db, [{ network, from: address, nonce: authorization.nonce }]);
  if (used.length > 0) throw vaultErrors.agent_nonce_used();
  return { authorization, signature: canonicalSignature(signature) ?? signature };
}
