import { type Hex, hashTypedData } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { toAddress } from "@/lib/core/address";
import type { MandateId } from "@/lib/core/ids";
import { formatUsdc, toUsdc, type Usdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import { isSignedByAccount } from "@/lib/platform/account-signature";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { versionForNew } from "@/lib/vaults/checks";
import { fundingTypedData, permitTypedData } from "@/lib/vaults/typed-data";
import type { Authorization } from "@/lib/x402/authorization";
import { canonicalSignature } from "@/lib/x402/signature";
import { assertOpen, assertOwn, findOwn } from "../access";
import { decide, isSignedWith } from "../decide";
import { mandateErrors } from "../errors";
import type { Mandate, Parties } from "../store";
import * as mandates from "../store";
import { takeOver } from "../takeover";
import { readOwner } from "./chain";
import { vaultErrors } from "./errors";
import * as operations from "./operation-store";
import type { ByPermit, FundedNow } from "./schemas";
import * as store from "./store";
import { columnsOf, draftOf, type VaultDraft } from "./terms";

/** Maximum validity of a signature that funds a vault. */
const FUNDING_SECONDS_MAX = 3_600;
const FUNDING_SECONDS_MIN = 30;
/** Tolerance for clock differences: an owner's page may take its deadline from typed data that was read a moment ago. */
const CLOCK_SLACK_SECONDS = 60;

type FundingChoice = { funding: "now" | "permit"; amount?: Usdc | undefined };

/**
 * The typed data with which the owner gives a claimed mandate a vault. `now`: the funding, whose nonce is the mandate's hash.
 * `permit`: the mandate, and a permit for its limit. Throws session_required, mandate_not_found, mandate_not_claimed,
 * mandate_not_pending, mandate_expired, vault_unavailable, funding_exceeds_limit, ChainUnavailable.
 */
export async function vaultTypedData({ actor, ...system }: Ctx, id: MandateId, { funding, amount }: FundingChoice) {
  if (actor.type !== "owner") throw edgeErrors.session_required();
  const ctx = { ...system, actor };
  const { mandate, draft } = await proposal(ctx, id);
  const { address: vault, terms } = draft;
  const until = BigInt(Math.min(unixSeconds(ctx.now()) + FUNDING_SECONDS_MAX, terms.end));
  if (funding === "now") {
    const value = fundingOf(ctx, mandate, amount);
    return { ...fundingTypedData(mandate.network, authorizationOf(draft, value, until)), vault: draft };
  }
  const { permitNonce: nonce } = await readOwner(ctx.chains[mandate.network], terms.owner, vault);
  const permit = { owner: terms.owner, spender: vault, value: terms.limit, nonce, deadline: until };
  return { ...draft.mandate, permit: permitTypedData(mandate.network, permit), vault: draft };
}

/**
 * Activates the mandate with a vault, if the signed-in owner signed its current terms; the relayer opens and funds the vault.
 * Idempotent. Throws as vaultTypedData does, and vault_openings_used, insufficient_owner_funds, funding_window,
 * signature_invalid, mandate_changed.
 */
export async function signWithVault(ctx: Ctx<Owner>, id: MandateId, proof: FundedNow | ByPermit): Promise<Mandate> {
  const parties = await findOwn(ctx, id);
  const initialMandate = parties.mandate;
  if (initialMandate.mode === "vault" && isSignedWith(initialMandate, canonical(proof.signature)))
    return initialMandate;
  const { draft } = await proposal(ctx, id, parties);
  const opening = await (proof.funding === "now"
    ? openingNow(ctx, initialMandate, draft, proof)
    : byPermit(ctx, initialMandate, draft, proof));
  await limit(ctx, "vault_opening_per_owner", ctx.actor.ownerId, vaultErrors.vault_openings_used);
  return decide(ctx, id, (mandate, now) => {
    if (mandate.mode === "vault" && isSignedWith(mandate, opening.mandateSignature)) return null;
    if (mandate.revision !== initialMandate.revision) throw mandateErrors.mandate_changed();
    assertOpen(mandate, now);
    const { mandateHash } = draft;
    return {
      event: "mandate.signed",
      set: {
        state: "signed",
        mode: "vault",
        isEnabled: true,
        mandateHash,
        signature: opening.mandateSignature,
        signedAt: now,
        asked: null,
      },
      meta: { mandateHash, limitAmount: mandate.limitAmount.toString() },
      binds: true,
      write: async (tx: Tx) => {
        await takeOver(ctx, tx, mandate);
        const state = { state: "opening" as const, funding: proof.funding };
        await store.change(tx, id, { ...state, ...columnsOf(draft, mandate.vaultPayees) });
        await operations.add(tx, { mandateId: id, network: mandate.network, ...opening.operation, createdAt: now });
      },
    };
  });
}

/** A claimed mandate that waits for its signature, and the vault that it would get. */
export async function proposal(
  ctx: Ctx<Owner>,
  id: MandateId,
  loadedParties?: Parties,
): Promise<{ mandate: Mandate; draft: VaultDraft }> {
  const parties = loadedParties ?? (await mandates.findWithParties(ctx.db, id));
  if (!parties) throw mandateErrors.mandate_not_found();
  const { mandate, agentOwnerId } = parties;
  if (mandate.ownerId === null && agentOwnerId === ctx.actor.ownerId) throw mandateErrors.mandate_not_claimed();
  assertOwn(ctx.actor, mandate);
  assertOpen(mandate, ctx.now());
  assertWorthOpening(ctx, mandate.limitAmount);
  const contractVersion = await versionForNew(ctx, mandate.network);
  if (contractVersion === null) throw vaultErrors.vault_unavailable();
  // Each vault has its own key, so that no other mandate's signature can pay from it.
  const key = generatePrivateKey();
  const { signer } = await store.ensure(ctx.db, {
    mandateId: id,
    network: mandate.network,
    signer: toAddress(privateKeyToAddress(key)),
    sealedKey: ctx.vault.seal(key, id),
    state: "proposed",
    createdAt: ctx.now(),
  });
  return { mandate, draft: draftOf(mandate, ctx.actor.address, { signer, contractVersion }) };
}

type Opening = {
  mandateSignature: Hex;
  operation: Pick<operations.NewVaultOperation, "kind"> & Partial<operations.NewVaultOperation>;
};

async function openingNow(ctx: Ctx<Owner>, m: Mandate, draft: VaultDraft, proof: FundedNow): Promise<Opening> {
  const value = fundingOf(ctx, m, proof.amount);
  assertWindow(ctx, draft, proof.validBefore);
  const typedData = fundingTypedData(m.network, authorizationOf(draft, value, proof.validBefore));
  const signature = await checkForToken(ctx, m, hashTypedData(typedData), proof.signature);
  const [balance] = await ctx.chains[m.network].balances([draft.terms.owner]);
  if (balance === undefined || balance < value) {
    throw vaultErrors.insufficient_owner_funds({ balance: (balance ?? 0n).toString(), amount: value.toString() });
  }
  const operation = { kind: "open_and_fund" as const, amount: value, validBefore: proof.validBefore, signature };
  return { mandateSignature: signature, operation };
}

async function byPermit(ctx: Ctx<Owner>, m: Mandate, draft: VaultDraft, proof: ByPermit): Promise<Opening> {
  const { owner, limit } = draft.terms;
  assertWindow(ctx, draft, proof.deadline);
  const mandateSignature = await checkForAccount(ctx, m, draft.mandateHash, proof.signature);
  const { permitNonce: nonce } = await readOwner(ctx.chains[m.network], owner, draft.address);
  const permit = { owner, spender: draft.address, value: limit, nonce, deadline: proof.deadline };
  const digest = hashTypedData(permitTypedData(m.network, permit));
  const signature = await checkForToken(ctx, m, digest, proof.permitSignature);
  const operation = { kind: "open_and_pull" as const, amount: limit, validBefore: proof.deadline, signature };
  return { mandateSignature, operation };
}

/** The owner's signature in the chain's format. A contract must accept it on the mandate's network. Throws signature_invalid. */
async function checkForAccount(ctx: Ctx<Owner>, { network }: Mandate, digest: Hex, rawSignature: Hex): Promise<Hex> {
  const signature = canonical(rawSignature);
  const account = ctx.actor.address;
  if (await isSignedByAccount(ctx, { network, account, digest, signature })) return signature;
  throw mandateErrors.signature_invalid();
}

/**
 * Like checkForAccount, for a signature that the token verifies: the token calls the code at an account even if the account's key signed
 * (EIP-7702).
 */
async function checkForToken(ctx: Ctx<Owner>, m: Mandate, digest: Hex, rawSignature: Hex): Promise<Hex> {
  const account = ctx.actor.address;
  const chain = ctx.chains[m.network];
  const [code = "0x"] = await chain.codes([account]);
  if (code === "0x") return checkForAccount(ctx, m, digest, rawSignature);
  const signature = canonical(rawSignature);
  if (await chain.acceptsSignature(account, digest, signature)) return signature;
  throw mandateErrors.signature_invalid({ message: NOT_ACCEPTED });
}

const NOT_ACCEPTED =
  "USDC asks the contract at your account, and it does not accept this signature, or it is not over the current terms of this mandate. Sign the mandate without mode, for the spending wallet, if your contract cannot sign this";

/** Circle's token refuses v 0 and 1. */
const canonical = (signature: Hex): Hex => canonicalSignature(signature) ?? signature;

function fundingOf(system: System, { limitAmount }: Mandate, amount: Usdc | undefined): Usdc {
  if (amount !== undefined && amount > limitAmount) throw vaultErrors.funding_exceeds_limit();
  const value = amount ?? limitAmount;
  assertWorthOpening(system, value);
  return value;
}

/** Throws vault_unavailable for a sum that is too small: we pay the gas of the opening. */
export function assertWorthOpening({ config }: System, sum: Usdc): void {
  if (sum >= config.vaultOpeningMin) return;
  const least = formatUsdc(toUsdc(config.vaultOpeningMin));
  const message = `A vault is opened for a limit and a funding of at least ${least} USDC. Sign the mandate without mode, for the spending wallet`;
  throw vaultErrors.vault_unavailable({ message });
}

export const authorizationOf = (draft: VaultDraft, value: Usdc, validBefore: bigint): Authorization => ({
  from: draft.terms.owner,
  to: draft.address,
  value,
  validAfter: 0n,
  validBefore,
  nonce: draft.mandateHash,
});

function assertWindow({ now }: System, { terms }: VaultDraft, until: bigint): void {
  const index = unixSeconds(now());
  const isTooFar = until > BigInt(index + FUNDING_SECONDS_MAX + CLOCK_SLACK_SECONDS) || until > BigInt(terms.end);
  if (isTooFar || until < BigInt(index + FUNDING_SECONDS_MIN)) throw vaultErrors.funding_window();
}
