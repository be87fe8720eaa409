import type { BadgeTone } from "@/components/ui/badge";
import type { PayeeView } from "@/lib/payees/contract";

/** Why a host did not confirm an address, for its owner. */
export const WHY: Record<NonNullable<PayeeView["why"]>, string> = {
  method: "Asking the host requires sending the paid request itself, which may have effects.",
  private_address: "The host is at a private address, which we do not contact.",
  port: "The host uses a port other than 80 or 443, which we do not contact.",
  no_answer: "The host did not answer us.",
  not_402: "The host did not answer with a price.",
  other_terms: "The host asks for another payment: another address, network or token, or less money.",
};

export const STATUS = {
  waiting: { tone: "warn", label: "Waiting for you" },
  confirmed: { tone: "good", label: "Confirmed" },
  refused: { tone: "neutral", label: "Refused" },
} as const satisfies Record<PayeeView["status"], { tone: BadgeTone; label: string }>;
