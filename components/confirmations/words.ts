import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { type MessageName, wordsOf } from "@/lib/clear-signing/words";

/** The contents of a challenge, for comparison with the wallet. */
export type Decoded = {
  title: string;
  facts: { label: string; value: string; isCode?: boolean }[];
  recipients: { to: string; amount: string }[];
};

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

function recipientsIn(value: unknown): Decoded["recipients"] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((recipient: unknown) => {
    const { to, amount } = (recipient ?? {}) as Record<string, unknown>;
    return typeof to === "string" && typeof amount === "string" ? [{ to, amount }] : [];
  });
}

/** The members that the page shows, in its order, and those shown as code. */
const SHOWN: Partial<Record<MessageName, readonly string[]>> = {
  NewPayout: ["total", "network", "payoutId"],
  PayoutApproval: ["total", "network", "payoutRecordId", "requestedBy"],
  PayoutBatch: ["payouts", "recipients", "totalOnBase", "totalOnBaseSepolia", "batchHash"],
  PayoutApprovals: ["payouts", "totalOnBase", "totalOnBaseSepolia"],
  NewAddress: ["name", "account"],
  ApprovalLimit: ["limit"],
  PaymentApproval: ["amount", "network", "resource", "approvalId", "requestedBy"],
  PaymentApprovals: ["payments", "totalOnBase", "totalOnBaseSepolia"],
  ReceivingAddress: ["agent", "agentId", "receivingAddress"],
  AgentToken: ["agent", "agentId", "oldToken"],
  PaymentScan: ["agent", "agentId", "paymentScan"],
  AgentSettings: ["agent", "agentId", "receivingAddress", "paymentScan"],
  MandateResumption: ["agent", "limit", "mandateId", "agentId"],
  PayeeConfirmation: ["host", "network", "payTo"],
  WebhookReceiver: ["host", "url", "events"],
  WebhookSecret: ["url", "webhookId"],
  CreditPurchase: ["amount"],
};
const CODES = new Set(
  "payoutId payoutRecordId requestedBy batchHash account approvalId agentId receivingAddress mandateId payTo url webhookId".split(
    " ",
  ),
);

/** Throws for an unknown action, so that no person signs an action that the page cannot show. */
export function decode({ primaryType, message }: TypedDataPayload): Decoded {
  const wording = wordsOf(primaryType);
  const memberNames = SHOWN[primaryType as MessageName];
  if (!wording || !memberNames) throw new Error(`unknown confirmation: ${primaryType}`);
  const facts = memberNames.map((name) => ({
    label: wording.members[name]?.label ?? name,
    value: text(message[name]),
    isCode: CODES.has(name),
  }));
  return {
    title: wording.intent,
    facts: facts.filter(({ value }) => value !== ""),
    recipients:
      primaryType === "PaymentApproval"
        ? [{ to: text(message.to), amount: text(message.amount) }]
        : recipientsIn(message.recipients),
  };
}
