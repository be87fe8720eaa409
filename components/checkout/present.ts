import type { PaymentTexts } from "@/components/texts/en/payment";
import { callPublicly } from "@/lib/http/client";
import type { BoughtFile } from "./file-download";
import type { Kept } from "./memory";

/** Why a payment failed or is not settled: keys of `PaymentTexts["reasons"]`. */
export type Reason = keyof PaymentTexts["reasons"];

/** The known state of a payment after its proof was presented. */
export type Outcome =
  | { type: "pending"; settlementId: string; txHash: string | null }
  | {
      type: "settled";
      settlementId: string;
      txHash: string | null;
      content: string | null;
      file?: BoughtFile;
      redirectUrl?: string;
    }
  /** Final: no money moved, and this proof can no longer settle. */
  | { type: "failed"; reason: Reason; isCancelled?: boolean; reportUrl?: string }
  /** Not settled, but the signature is valid until `until` (ISO 8601). `settlementId` is null if the service never accepted it. */
  | { type: "declined"; settlementId: string | null; reason: Reason; until: string }
  /** On-chain, the nonce is used or cancelled, but not by this service. The payer's transfers show whether it paid. */
  | { type: "used" }
  /** The connection broke, or the service cannot tell: the proof may or may not have been accepted. */
  | { type: "unknown" };

/** Presents a signed proof to its link. Safe to repeat: the nonce settles once. Never throws. */
export async function present(proof: Kept, isRepeat: boolean): Promise<Outcome> {
  for (let look = 1; ; look++) {
    const outcome = await presentOnce(proof, isRepeat || look > 1);
    // Another request with the same proof may be about to claim it.
    if (outcome.type !== "used" || look === USED_LOOKS) return outcome;
    await new Promise((resolve) => setTimeout(resolve, USED_PAUSE_MS));
  }
}

const USED_LOOKS = 3;
const USED_PAUSE_MS = 3_000;

async function presentOnce({ linkId, header, query = "" }: Kept, isRepeat: boolean): Promise<Outcome> {
  try {
    const response = await fetch(`/paymentlink/${linkId}${query}`, {
      cache: "no-store",
      credentials: "omit",
      headers: { Accept: "application/json", "X-Payment": header },
    });
    return readAnswer(response.status, await response.json(), isRepeat);
  } catch {
    return { type: "unknown" };
  }
}

/** The state of a settlement, with the purchased content once it is settled; undefined without a response. */
export async function follow(settlementId: string, secret: string): Promise<Outcome | "missing" | undefined> {
  const response = await callPublicly<SettlementWire>("GET", `/api/settlements/${settlementId}?key=${secret}`);
  if (!response.ok) return response.status === 404 ? "missing" : undefined;
  const { settlementStatus, txHash, failureCode, stillValidUntil, content = null, file, redirectUrl } = response.data;
  switch (settlementStatus) {
    case "pending":
      return stillValidUntil === null
        ? { type: "pending", settlementId, txHash }
        : { type: "declined", settlementId, reason: whyFailed(failureCode), until: stillValidUntil };
    case "settled":
      return {
        type: "settled",
        settlementId,
        txHash,
        content,
        ...(file !== undefined && { file }),
        ...(redirectUrl !== undefined && { redirectUrl }),
      };
    case "failed":
      return { type: "failed", reason: whyFailed(failureCode), isCancelled: failureCode === "CANCELED" };
    default:
      settlementStatus satisfies never;
      return undefined;
  }
}

type SettlementWire = {
  settlementStatus: "pending" | "settled" | "failed";
  txHash: string | null;
  failureCode: string | null;
  stillValidUntil: string | null;
  content?: string | null;
  file?: BoughtFile;
  redirectUrl?: string;
};

/** `isRepeat`: the proof was presented before, so a refusal with an unrelated reason does not tell its outcome. */
function readAnswer(status: number, json: unknown, isRepeat: boolean): Outcome {
  if (typeof json !== "object" || json === null) return { type: "unknown" };
  const body: Record<string, unknown> = { ...json };
  const { settlementId, code } = body;
  const txHash = typeof body.txHash === "string" ? body.txHash : null;
  if (status === 200 && typeof settlementId === "string") return toSettledOutcome(settlementId, body);
  // 409: presented before. Its settlement has the outcome.
  if ((status === 202 || status === 409) && typeof settlementId === "string") {
    return { type: "pending", settlementId, txHash };
  }
  if (code === "SETTLEMENT_FAILED") {
    const reason = whyFailed(body.failureCode);
    const { stillValidUntil: until } = body;
    if (typeof until !== "string") return { type: "failed", reason };
    return { type: "declined", settlementId: typeof settlementId === "string" ? settlementId : null, reason, until };
  }
  // The service sends these statuses only after it has searched for the proof: the proof was not accepted.
  if (status === 402) return { type: "failed", reason: REFUSALS.find((refusal) => refusal === code) ?? "MISMATCH" };
  if (status === 410 || status === 404) {
    const { stillValidUntil: until } = body;
    return typeof until === "string"
      ? { type: "declined", settlementId: null, reason: "GONE", until }
      : { type: "failed", reason: "GONE" };
  }
  if (code === "PAYMENT_ALREADY_USED") return { type: "used" };
  // A list of the operator has one of the addresses, and no node saw the proof.
  if (code === "PAYER_DENIED" || code === "PAYEE_DENIED")
    return {
      type: "failed",
      reason: code,
      ...(typeof body.appealUrl === "string" && { reportUrl: body.appealUrl }),
    };
  if (!isRepeat && (status === 400 || status === 409)) return { type: "failed", reason: "GONE" };
  return { type: "unknown" };
}

function toSettledOutcome(
  settlementId: string,
  { resource, file, redirectUrl, receipt }: Record<string, unknown>,
): Outcome {
  const { txHash }: { txHash?: unknown } = { ...(receipt as object | undefined) };
  return {
    type: "settled",
    settlementId,
    txHash: typeof txHash === "string" ? txHash : null,
    content: typeof resource === "string" ? resource : null,
    // Sent by the service either complete or not at all.
    ...(typeof file === "object" && file !== null && { file: file as BoughtFile }),
    ...(typeof redirectUrl === "string" && { redirectUrl }),
  };
}

const REFUSALS = ["PAYMENT_EXPIRED", "PAYMENT_RECIPIENT_MISMATCH", "PAYMENT_SIGNATURE_INVALID"] as const;

const whyFailed = (code: unknown): Reason => FAILURES.find((failure) => failure === code) ?? "TRANSFER_REFUSED";

const FAILURES = [
  "EXPIRED",
  "ALREADY_USED",
  "CANCELED",
  "INSUFFICIENT_FUNDS",
  "INVALID_SIGNATURE",
  "ACCOUNT_BLOCKED",
  "TOKEN_PAUSED",
] as const;
