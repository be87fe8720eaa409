import { createHash } from "node:crypto";
import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { canonicalJson } from "@/lib/core/json";
import { formatUsdc, toUsdc, type Usdc } from "@/lib/core/money";
import { addSeconds, unixSeconds } from "@/lib/core/time";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

/** How long a challenge can be signed, in seconds. */
export const CONFIRMATION_SECONDS = 600;
/** A repeated call gets its open challenge again if at least this many seconds of it remain. */
export const REUSE_SECONDS = 300;
/** 100 USDC per payout. */
export const APPROVAL_LIMIT_DEFAULT = toUsdc(100_000_000n);

export type Recipient = { to: Address; amount: Usdc };

/**
 * An action that the owner's wallet signs. `contents` is a hash of data that the fields do not show, such as the
 * description: a call with different data is a different action.
 */
export type Action =
  | { type: "NewAddress"; account: Address; name: string }
  | {
      type: "NewPayout";
      payoutId: string;
      network: NetworkName;
      recipients: readonly Recipient[];
      total: Usdc;
      contents: string;
    }
  | {
      type: "PayoutApproval";
      payoutRecordId: string;
      payoutId: string;
      requestedBy: string;
      network: NetworkName;
      recipients: readonly Recipient[];
      total: Usdc;
      contents: string;
    }
  | {
      type: "PayoutBatch";
      payouts: number;
      recipients: number;
      totals: Record<NetworkName, Usdc>;
      /** SHA-256 over the contents of all rows. */
      batchHash: Hex;
    }
  | {
      type: "PayoutApprovals";
      payouts: number;
      recipients: readonly Recipient[];
      totals: Record<NetworkName, Usdc>;
      contents: string;
    }
  | { type: "ApprovalLimit"; limit: Usdc }
  | {
      type: "PaymentApproval";
      approvalId: string;
      requestedBy: string;
      network: NetworkName;
      to: Address;
      amount: Usdc;
      resource: string;
    }
  | {
      type: "PaymentApprovals";
      recipients: readonly Recipient[];
      totals: Record<NetworkName, Usdc>;
      contents: string;
    }
  | {
      type: "ReceivingAddress";
      agent: string;
      agentId: string;
      receivingAddress: Address;
      contents: string;
    };

type Field = { name: string; type: string };
type Message = Record<string, unknown>;
export type ActionTypedData = {
  domain: { name: string; version: string; chainId: number };
  types: Record<string, Field[]>;
  primaryType: Action["type"];
  message: Message;
};

const CHALLENGE: Field[] = [
  { name: "nonce", type: "bytes32" },
  { name: "deadline", type: "uint256" },
];
const OWNER: Field = { name: "owner", type: "address" };
const RECIPIENT: Field[] = [
  { name: "to", type: "address" },
  { name: "amount", type: "string" },
];
const text = (...names: string[]): Field[] => names.map((name) => ({ name, type: "string" }));
const PAID: Field[] = [{ name: "recipients", type: "Recipient[]" }, ...text("total")];

const FIELDS: Record<Action["type"], Field[]> = {
  NewAddress: [OWNER, { name: "account", type: "address" }, ...text("name")],
  NewPayout: [OWNER, ...text("payoutId", "network"), ...PAID],
  PayoutApproval: [OWNER, ...text("payoutRecordId", "payoutId", "requestedBy", "network"), ...PAID],
  PayoutBatch: [
    OWNER,
    { name: "payouts", type: "uint256" },
    { name: "recipients", type: "uint256" },
    ...text("totalOnBase", "totalOnBaseSepolia"),
    { name: "batchHash", type: "bytes32" },
  ],
  PayoutApprovals: [
    OWNER,
    { name: "payouts", type: "uint256" },
    ...text("totalOnBase", "totalOnBaseSepolia"),
    { name: "recipients", type: "Recipient[]" },
  ],
  ApprovalLimit: [OWNER, ...text("limit")],
  PaymentApproval: [
    OWNER,
    ...text("approvalId", "requestedBy", "network"),
    { name: "to", type: "address" },
    ...text("amount", "resource"),
  ],
  PaymentApprovals: [
    OWNER,
    { name: "payments", type: "uint256" },
    ...text("totalOnBase", "totalOnBaseSepolia"),
    { name: "recipients", type: "Recipient[]" },
  ],
  ReceivingAddress: [OWNER, ...text("agent", "agentId"), { name: "receivingAddress", type: "address" }],
};

/** The types of each action's typed data. */
export const CONFIRMATION_TYPES = Object.fromEntries(
  Object.entries(FIELDS).map(([type, fields]) => [
    type,
    {
      [type]: [...fields, ...CHALLENGE],
      ...(fields.some((field) => field.type === "Recipient[]") && { Recipient: RECIPIENT }),
    },
  ]),
) as Record<Action["type"], Record<string, Field[]>>;

export const CONFIRMATION_DOMAIN = { name: "Tessera", version: "1" };

/** Equal for every call that requests `action`. */
export const actionHashOf = (action: Action): string =>
  createHash("sha256")
    .update(canonicalJson({ type: action.type, ...messageOf(action), contents: contentsOf(action) }))
    .digest("hex");

/** The challenge to sign. Amounts are text ("12.50 USDC"), because wallets show values unformatted. */
export const typedDataOf = (action: Action, owner: Address, nonce: Hex, now: Date): ActionTypedData => ({
  domain: { ...CONFIRMATION_DOMAIN, chainId: NETWORKS[networkOf(action)].chainId },
  types: CONFIRMATION_TYPES[action.type],
  primaryType: action.type,
  message: { owner, ...messageOf(action), nonce, deadline: String(unixSeconds(addSeconds(now, CONFIRMATION_SECONDS))) },
});

const networkOf = (action: Action): NetworkName => ("network" in action ? action.network : "base");
const contentsOf = (action: Action): string => ("contents" in action ? action.contents : "");
const amountText = (amount: Usdc): string => `${formatUsdc(amount)} USDC`;

function messageOf(action: Action): Message {
  switch (action.type) {
    case "NewAddress":
      return { account: action.account, name: action.name };
    case "NewPayout":
      return { payoutId: action.payoutId, network: NETWORKS[action.network].label, ...paid(action) };
    case "PayoutApproval": {
      const { payoutRecordId, payoutId, requestedBy, network } = action;
      return { payoutRecordId, payoutId, requestedBy, network: NETWORKS[network].label, ...paid(action) };
    }
    case "PayoutBatch":
      return {
        payouts: action.payouts,
        recipients: action.recipients,
        ...totalsText(action.totals),
        batchHash: action.batchHash,
      };
    case "PayoutApprovals":
      return {
        payouts: action.payouts,
        ...totalsText(action.totals),
        recipients: listed(action.recipients),
      };
    case "ApprovalLimit":
      return { limit: amountText(action.limit) };
    case "PaymentApproval": {
      const { approvalId, requestedBy, network, to, amount, resource } = action;
      return { approvalId, requestedBy, network: NETWORKS[network].label, to, amount: amountText(amount), resource };
    }
    case "PaymentApprovals":
      return {
        payments: action.recipients.length,
        ...totalsText(action.totals),
        recipients: listed(action.recipients),
      };
    case "ReceivingAddress":
      return { agent: action.agent, agentId: action.agentId, receivingAddress: action.receivingAddress };
    default:
      return action satisfies never;
  }
}

const totalsText = (totals: Record<NetworkName, Usdc>): Message => ({
  totalOnBase: amountText(totals.base),
  totalOnBaseSepolia: amountText(totals["base-sepolia"]),
});

const listed = (recipients: readonly Recipient[]) =>
  recipients.map(({ to, amount }) => ({ to, amount: amountText(amount) }));

const paid = ({ recipients, total }: { recipients: readonly Recipient[]; total: Usdc }): Message => ({
  recipients: listed(recipients),
  total: amountText(total),
});

/** Why the call's signature was not accepted; `none` if it had none. */
export type Reason = "none" | "invalid" | "expired" | "used";

type Challenge = { usedAt: Date | null; expiresAt: Date };

/** Whether a challenge can still be signed and used at `now`. */
export const isOpen = ({ usedAt, expiresAt }: Challenge, now: Date): boolean => usedAt === null && now < expiresAt;

/** Why a signature matches none of an action's open `challenges`, which are ordered newest first. */
export function reasonOf([newest]: readonly Challenge[], now: Date): Reason {
  if (!newest || isOpen(newest, now)) return "invalid";
  return newest.usedAt ? "used" : "expired";
}

const REASONS = {
  none: "",
  invalid: "The owner did not sign an open challenge for exactly this call. ",
  expired: "The challenge has expired: it must be signed and used within ten minutes. ",
  used: "This signature was already used. Each signature is valid for one call. ",
} as const satisfies Record<Reason, string>;

export const messageFor = (reason: Reason): string =>
  `${REASONS[reason]}This call needs a signature of your wallet: sign typedData and repeat the call with signature in its body`;
