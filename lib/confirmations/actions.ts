import type { Hex } from "viem";
import type { Address } from "@/lib/core/address";
import { formatUsdc, type Usdc } from "@/lib/core/money";
import type { PaymentScan } from "@/lib/core/scans";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

export type Recipient = { to: Address; amount: Usdc };

/**
 * An action that the owner's wallet signs. `contents` identifies data that the signed fields do not show, such as the description: a
 * call with different data is a different action.
 * Why: docs/decisions.md, 412.
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
    }
  | { type: "AgentToken"; agent: string; agentId: string; isOldRevoked: boolean }
  | {
      /** `contents`: the app's id and its redirect URI. */
      type: "AppConnection";
      agent: string;
      agentId: string;
      app: string;
      returnsTo: string;
      contents: string;
    }
  | { type: "PaymentScan"; agent: string; agentId: string; paymentScan: PaymentScan; contents: string }
  | {
      /** A receiving address and a weaker scan in one call. */
      type: "AgentSettings";
      agent: string;
      agentId: string;
      receivingAddress: Address;
      paymentScan: PaymentScan;
      contents: string;
    }
  | { type: "MandateResumption"; agent: string; agentId: string; mandateId: string; limit: Usdc }
  | {
      type: "SpendingCap";
      /** Empty for all spending. */
      agent: string;
      agentId: string;
      network: NetworkName;
      /** Null: no such cap. */
      per24Hours: Usdc | null;
      per30Days: Usdc | null;
      waitingMax: number;
    }
  | {
      type: "PayeeLists";
      list: "deny" | "allow";
      add: readonly string[];
      remove: readonly string[];
      /** Null: as before. */
      isAllowListOn: boolean | null;
    }
  | { type: "PayeeConfirmation"; host: string; network: NetworkName; payTo: Address }
  | { type: "WebhookReceiver"; host: string; url: string; events: readonly string[] | null; contents: string }
  | { type: "WebhookSecret"; url: string; webhookId: string }
  | { type: "CreditPurchase"; amount: Usdc }
  /** `token`: null for ETH. */
  | { type: "Recovery"; network: NetworkName; token: Address | null; from: Address; to: Address };

export type ActionField = { name: string; type: string };
export type ActionMessage = Record<string, unknown>;

export const CHALLENGE: ActionField[] = [
  { name: "nonce", type: "bytes32" },
  { name: "deadline", type: "uint256" },
];
const OWNER: ActionField = { name: "owner", type: "address" };
export const RECIPIENT: ActionField[] = [
  { name: "to", type: "address" },
  { name: "amount", type: "string" },
];
const text = (...names: string[]): ActionField[] => names.map((name) => ({ name, type: "string" }));
const PAID: ActionField[] = [{ name: "recipients", type: "Recipient[]" }, ...text("total")];

/** The message fields of each action, without those of the challenge. */
export const FIELDS: Record<Action["type"], ActionField[]> = {
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
  AgentToken: [OWNER, ...text("agent", "agentId", "oldToken")],
  AppConnection: [OWNER, ...text("agent", "agentId", "app", "returnsTo")],
  PaymentScan: [OWNER, ...text("agent", "agentId", "paymentScan")],
  AgentSettings: [
    OWNER,
    ...text("agent", "agentId"),
    { name: "receivingAddress", type: "address" },
    ...text("paymentScan"),
  ],
  MandateResumption: [OWNER, ...text("agent", "agentId", "mandateId", "limit")],
  SpendingCap: [OWNER, ...text("agent", "agentId", "network", "per24Hours", "per30Days", "above")],
  PayeeLists: [OWNER, ...text("list", "added", "removed", "allowList")],
  PayeeConfirmation: [OWNER, ...text("host", "network"), { name: "payTo", type: "address" }],
  WebhookReceiver: [OWNER, ...text("host", "url", "events")],
  WebhookSecret: [OWNER, ...text("url", "webhookId")],
  CreditPurchase: [OWNER, ...text("amount")],
  Recovery: [OWNER, ...text("network", "asset"), { name: "from", type: "address" }, { name: "to", type: "address" }],
};

const amountText = (amount: Usdc): string => `${formatUsdc(amount)} USDC`;

/** The values of an action's fields. Amounts are text ("12.50 USDC"), because wallets show values unformatted. */
export function messageOf(action: Action): ActionMessage {
  switch (action.type) {
    case "NewAddress":
      return { account: action.account, name: action.name };
    case "NewPayout":
      return { payoutId: action.payoutId, network: NETWORKS[action.network].label, ...describePayout(action) };
    case "PayoutApproval": {
      const { payoutRecordId, payoutId, requestedBy, network } = action;
      return { payoutRecordId, payoutId, requestedBy, network: NETWORKS[network].label, ...describePayout(action) };
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
    case "AgentToken": {
      const { agent, agentId, isOldRevoked } = action;
      return { agent, agentId, oldToken: isOldRevoked ? "is revoked now" : "works for ten more minutes" };
    }
    case "AppConnection": {
      const { agent, agentId, app, returnsTo } = action;
      return { agent, agentId, app, returnsTo };
    }
    case "PaymentScan":
      return { agent: action.agent, agentId: action.agentId, paymentScan: SCAN_TEXTS[action.paymentScan] };
    case "AgentSettings": {
      const { agent, agentId, receivingAddress, paymentScan } = action;
      return { agent, agentId, receivingAddress, paymentScan: SCAN_TEXTS[paymentScan] };
    }
    case "MandateResumption": {
      const { agent, agentId, mandateId, limit } = action;
      return { agent, agentId, mandateId, limit: amountText(limit) };
    }
    case "SpendingCap": {
      const { agent, agentId, network, per24Hours, per30Days, waitingMax } = action;
      const capText = (cap: Usdc | null) => (cap === null ? "no limit" : amountText(cap));
      return {
        agent: agent === "" ? "all spending" : agent,
        agentId,
        network: NETWORKS[network].label,
        per24Hours: capText(per24Hours),
        per30Days: capText(per30Days),
        above: waitingMax === 0 ? "is refused" : `waits for your approval, at most ${waitingMax} for each agent`,
      };
    }
    case "PayeeLists": {
      const { list, add, remove, isAllowListOn } = action;
      // With a space, which no entry has.
      const entriesText = (entries: readonly string[]) => (entries.length === 0 ? "no payee" : entries.join(", "));
      const allowList = isAllowListOn === null ? "stays as it is" : `is turned ${isAllowListOn ? "on" : "off"}`;
      return { list: `${list} list`, added: entriesText(add), removed: entriesText(remove), allowList };
    }
    case "PayeeConfirmation":
      return { host: action.host, network: NETWORKS[action.network].label, payTo: action.payTo };
    case "WebhookReceiver":
      return { host: action.host, url: action.url, events: action.events?.join(", ") ?? "all" };
    case "WebhookSecret":
      return { url: action.url, webhookId: action.webhookId };
    case "CreditPurchase":
      return { amount: amountText(action.amount) };
    case "Recovery": {
      const { network, token, from, to } = action;
      return { network: NETWORKS[network].label, asset: token ?? "ETH", from, to };
    }
    default:
      return action satisfies never;
  }
}

const SCAN_TEXTS = {
  off: "off: no payment is refused",
  block: "refuses the verdict block only",
  review: "refuses the verdicts block and review",
} as const satisfies Record<PaymentScan, string>;

const totalsText = (totals: Record<NetworkName, Usdc>): ActionMessage => ({
  totalOnBase: amountText(totals.base),
  totalOnBaseSepolia: amountText(totals["base-sepolia"]),
});

const listed = (recipients: readonly Recipient[]) =>
  recipients.map(({ to, amount }) => ({ to, amount: amountText(amount) }));

const describePayout = ({ recipients, total }: { recipients: readonly Recipient[]; total: Usdc }): ActionMessage => ({
  recipients: listed(recipients),
  total: amountText(total),
});
