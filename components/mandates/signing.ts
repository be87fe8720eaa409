import { usdcText } from "@/components/ui/format";
import type { TypedDataPayload, TypedDataResult } from "@/components/wallet/typed-data";
import { callApi, type Failure } from "@/lib/http/client";
import type { VaultDraft } from "./vaults/types";
import { sentenceFor } from "./words";

/** The signatures for a mandate, and the errors on the way. */

export type Problem = { tone: "warn" | "bad"; title: string; text: string };
/** The API's request body with the signatures. */
export type Collected = { type: "signed"; body: Record<string, unknown> } | Failed;
type Failed = { type: "failed"; problem: Problem };

/** The number of the requested signature, and the total. */
export type Turn = { turn: 1 | 2; of: 1 | 2 };

export type Signing = {
  mandateId: string;
  owner: string;
  /** Opens the wallet. */
  ask: (typedData: TypedDataPayload, step: Turn) => Promise<TypedDataResult>;
};

/** Spending wallet: one signature of the mandate. */
export async function collectForWallet(signing: Signing, reviewedPayload: TypedDataPayload): Promise<Collected> {
  const typedData = await callApi<TypedDataPayload>("GET", `/api/mandates/${signing.mandateId}/typed-data`);
  if (!typedData.ok) return failed(notSigned(sentenceFor(typedData)));
  // The wallet signs only what the page has shown.
  if (!isSame(typedData.data, reviewedPayload)) return failed(CHANGED);
  const signed = await askFor(signing, typedData.data, { turn: 1, of: 1 });
  if (signed.type === "failed") return signed;
  return { type: "signed", body: { signature: signed.signature } };
}

type WithVault = TypedDataPayload & { vault: VaultDraft };

/** Vault funded now: one signature. The transfer's nonce is the mandate hash, so the transfer also signs the mandate. */
export async function collectFunding(signing: Signing, reviewedVault: VaultDraft, amount: bigint): Promise<Collected> {
  const value = String(amount);
  const prepared = await callApi<WithVault>("GET", vaultPath(signing, { funding: "now", amount: value }));
  if (!prepared.ok) return failed(problemOf(prepared));
  const { vault, ...typedData } = prepared.data;
  const { message } = typedData;
  const isOfThis = message.from === signing.owner && message.to === reviewedVault.address && message.value === value;
  if (!isSame(vault, reviewedVault) || !isOfThis || message.nonce !== reviewedVault.mandateHash) return failed(CHANGED);
  const signed = await askFor(signing, typedData, { turn: 1, of: 1 });
  if (signed.type === "failed") return signed;
  const { signature } = signed;
  const { validBefore } = message;
  return { type: "signed", body: { mode: "vault", funding: "now", signature, amount: value, validBefore } };
}

type WithPermit = WithVault & { permit: TypedDataPayload };

/** Vault with a permit: two signatures, of the mandate and of a permit for its limit. */
export async function collectPermit(signing: Signing, reviewedVault: VaultDraft): Promise<Collected> {
  const prepared = await callApi<WithPermit>("GET", vaultPath(signing, { funding: "permit" }));
  if (!prepared.ok) return failed(problemOf(prepared));
  const { vault, permit, ...mandate } = prepared.data;
  const { owner, spender, value, deadline } = permit.message;
  const isOfThis = owner === signing.owner && spender === reviewedVault.address && value === reviewedVault.terms.limit;
  if (!isSame(vault, reviewedVault) || !isSame(mandate, reviewedVault.mandate) || !isOfThis) return failed(CHANGED);
  const first = await askFor(signing, mandate, { turn: 1, of: 2 });
  if (first.type === "failed") return first;
  const second = await askFor(signing, permit, { turn: 2, of: 2 });
  if (second.type === "failed") return second;
  const { signature } = first;
  const permitSignature = second.signature;
  return { type: "signed", body: { mode: "vault", funding: "permit", signature, permitSignature, deadline } };
}

async function askFor(
  { ask }: Signing,
  typedData: TypedDataPayload,
  step: Turn,
): Promise<{ type: "signed"; signature: string } | Failed> {
  const result = await ask(typedData, step);
  switch (result.type) {
    case "signed":
      return { type: "signed", signature: result.signature };
    case "rejected":
      return failed(REJECTED);
    case "failed":
      return failed(notSigned(result.reason));
    default:
      return result satisfies never;
  }
}

const failed = (problem: Problem): Failed => ({ type: "failed", problem });

const vaultPath = ({ mandateId }: Signing, query: Record<string, string>): `/${string}` =>
  `/api/mandates/${mandateId}/typed-data?${new URLSearchParams({ mode: "vault", ...query })}`;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export const notSigned = (text: string): Problem => ({ tone: "bad", title: "It is not signed", text });

const REJECTED: Problem = {
  tone: "warn",
  title: "You did not sign",
  text: "Nothing is allowed and nothing was spent.",
};

const CHANGED: Problem = {
  tone: "warn",
  title: "Read it again",
  text: "The mandate has changed since you opened this page.",
};

const UNKNOWN: Problem = {
  tone: "warn",
  title: "We could not be reached",
  text: "Your signature may have arrived. Reload this page: it shows whether the mandate is signed.",
};

/** Why the signatures were refused, or that the result is unknown. */
export const problemOf = (failure: Failure): Problem => {
  if (failure.status === 0) return UNKNOWN;
  if (failure.code === "insufficient_owner_funds") return tooLittle(failure);
  return notSigned(sentenceFor(failure));
};

function tooLittle({ details }: Failure): Problem {
  const { balance, amount } = details ?? {};
  const isKnown = [balance, amount].every((sum) => typeof sum === "string" && /^\d+$/.test(sum));
  const holds = isKnown ? `It holds ${usdcText(BigInt(String(balance)))} of ${usdcText(BigInt(String(amount)))}. ` : "";
  return {
    tone: "bad",
    title: "Your wallet holds too little USDC",
    text: `${holds}Nothing was stored. Add USDC, lower the amount, or keep the money in your wallet.`,
  };
}
