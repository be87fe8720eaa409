import type { TypedDataPayload } from "@/components/wallet/use-typed-data";

/** The contents of a challenge, for comparison with the wallet. */
export type Decoded = {
  title: string;
  facts: { label: string; value: string; isCode?: boolean }[];
  recipients: { to: string; amount: string }[];
};

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

function recipientsIn(value: unknown): Decoded["recipients"] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: unknown) => {
    const { to, amount } = (each ?? {}) as Record<string, unknown>;
    return typeof to === "string" && typeof amount === "string" ? [{ to, amount }] : [];
  });
}

/** Throws for an unknown action, so that no person signs an action that the page cannot show. */
export function decode({ primaryType, message }: TypedDataPayload): Decoded {
  const fact = (label: string, name: string, isCode = false) => ({ label, value: text(message[name]), isCode });
  const filled = (...facts: ReturnType<typeof fact>[]) => facts.filter(({ value }) => value !== "");
  const recipients = recipientsIn(message.recipients);
  switch (primaryType) {
    case "NewPayout":
      return {
        title: "Pay out",
        facts: filled(fact("Total", "total"), fact("Network", "network"), fact("Payout", "payoutId", true)),
        recipients,
      };
    case "PayoutApproval":
      return {
        title: "Approve a payout",
        facts: filled(
          fact("Total", "total"),
          fact("Network", "network"),
          fact("Payout", "payoutRecordId", true),
          fact("Requested by agent", "requestedBy", true),
        ),
        recipients,
      };
    case "PayoutBatch":
      return {
        title: "Pay a file",
        facts: filled(
          fact("Payouts", "payouts"),
          fact("Addresses", "recipients"),
          fact("Total on Base", "totalOnBase"),
          fact("Total on Base Sepolia", "totalOnBaseSepolia"),
          fact("Hash of the rows", "batchHash", true),
        ),
        recipients: [],
      };
    case "NewAddress":
      return {
        title: "Add to the address book",
        facts: [fact("Name", "name"), fact("Address", "account", true)],
        recipients: [],
      };
    case "ApprovalLimit":
      return { title: "Raise your approval limit", facts: [fact("Limit", "limit")], recipients: [] };
    case "PaymentApproval":
      return {
        title: "Approve a payment",
        facts: filled(
          fact("Amount", "amount"),
          fact("Network", "network"),
          fact("Pays for", "resource"),
          fact("Payment", "approvalId", true),
          fact("Requested by agent", "requestedBy", true),
        ),
        recipients: [{ to: text(message.to), amount: text(message.amount) }],
      };
    case "PaymentApprovals":
      return {
        title: "Approve payments",
        facts: filled(
          fact("Payments", "payments"),
          fact("Total on Base", "totalOnBase"),
          fact("Total on Base Sepolia", "totalOnBaseSepolia"),
        ),
        recipients,
      };
    case "ReceivingAddress":
      return {
        title: "Change where an agent is paid",
        facts: [fact("Agent", "agent"), fact("Agent id", "agentId", true), fact("Paid at", "receivingAddress", true)],
        recipients: [],
      };
    default:
      throw new Error(`unknown confirmation: ${primaryType}`);
  }
}
