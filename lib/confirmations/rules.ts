import { createHash } from "node:crypto";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { canonicalJson } from "@/lib/core/json";
import { toUsdc } from "@/lib/core/money";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import { DEFAULT_NETWORK, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { type Action, type ActionField, type ActionMessage, CHALLENGE, FIELDS, messageOf, RECIPIENT } from "./actions";

/** How long a challenge can be signed, in seconds. */
export const CONFIRMATION_SECONDS = 600;
/** A repeated call gets the same open challenge if at least this many seconds of it remain. */
export const REUSE_SECONDS = 300;
/** 100 USDC in 24 hours. */
export const APPROVAL_LIMIT_DEFAULT = toUsdc(100_000_000n);

export type ActionTypedData = {
  domain: { name: string; version: string; chainId: number };
  types: Record<string, ActionField[]>;
  primaryType: Action["type"];
  message: ActionMessage;
};

/** The EIP-712 types of each action. */
export const CONFIRMATION_TYPES = Object.fromEntries(
  Object.entries(FIELDS).map(([type, fields]) => [
    type,
    {
      [type]: [...fields, ...CHALLENGE],
      ...(fields.some((field) => field.type === "Recipient[]") && { Recipient: RECIPIENT }),
    },
  ]),
) as Record<Action["type"], Record<string, ActionField[]>>;

export const CONFIRMATION_DOMAIN = { name: "Tessera", version: "1" };

/** Equal for every call that requests `action`. */
export function actionHashOf(action: Action): string {
  const { contents = "" }: OptionalMembers = action;
  return createHash("sha256")
    .update(canonicalJson({ type: action.type, ...messageOf(action), contents }))
    .digest("hex");
}

/** The challenge to sign. */
export function typedDataOf(action: Action, owner: Address, nonce: Hex, now: Date): ActionTypedData {
  const { network = DEFAULT_NETWORK }: OptionalMembers = action;
  const deadline = String(unixSeconds(addSeconds(now, CONFIRMATION_SECONDS)));
  return {
    domain: { ...CONFIRMATION_DOMAIN, chainId: NETWORKS[network].chainId },
    types: CONFIRMATION_TYPES[action.type],
    primaryType: action.type,
    message: { owner, ...messageOf(action), nonce, deadline },
  };
}

/** Members that only some actions have. */
type OptionalMembers = Pick<Action, "type"> & { network?: NetworkName; contents?: string };

/** Why the call's signature was not accepted; `none` if the call had no signature. */
export type SignatureReason = "none" | "invalid" | "expired" | "used";

type Challenge = { usedAt: Date | null; expiresAt: Date };

/** Whether a challenge can still be signed and used at `now`. */
export const isOpen = ({ usedAt, expiresAt }: Challenge, now: Date): boolean => usedAt === null && now < expiresAt;

/** Why a signature matches no open challenge of an action. The challenges are ordered newest first. */
export function reasonOf([newest]: readonly Challenge[], now: Date): SignatureReason {
  if (!newest || isOpen(newest, now)) return "invalid";
  return newest.usedAt ? "used" : "expired";
}

const REASONS = {
  none: "",
  invalid: "The owner did not sign an open challenge for exactly this call. ",
  expired: "The challenge has expired: it must be signed and used within ten minutes. ",
  used: "This signature was already used. Each signature is valid for one call. ",
} as const satisfies Record<SignatureReason, string>;

export const explainReason = (reason: SignatureReason): string =>
  `${REASONS[reason]}This call needs a signature of your wallet: sign typedData and repeat the call with signature in its body`;
