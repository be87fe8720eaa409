import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { MandateView } from "@/lib/mandates/responses";
import type { PaymentView } from "@/lib/payments/responses";
import { VAULT_STATES } from "./vaults/words";

type Stateful = Pick<MandateView, "status" | "isEnabled" | "signedAt" | "vault">;

export function MandateStatus({ mandate }: { mandate: Stateful }) {
  const { tone, word: label } = wordsOf(mandate);
  return <Badge tone={tone}>{label}</Badge>;
}

export function PaymentStatus({ status }: { status: PaymentView["status"] }) {
  const { tone, word: label } = PAYMENTS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

export const paymentWord = (status: PaymentView["status"]): string => PAYMENTS[status].word;

type Words = { tone: BadgeTone; word: string };

function wordsOf({ status, isEnabled, signedAt, vault }: Stateful): Words {
  // A signed mandate cannot pay until its vault is open.
  if (status === "signed" && vault && vault.state !== "open") return VAULT_STATES[vault.state];
  if (status === "signed" && !isEnabled) return { tone: "warn", word: "Paused" };
  if (status === "expired" && signedAt === null) return { tone: "neutral", word: "Never signed" };
  return MANDATES[status];
}

const MANDATES = {
  draft: { tone: "info", word: "Agent not linked" },
  pending_signature: { tone: "info", word: "Waiting for you" },
  signed: { tone: "good", word: "Active" },
  exhausted: { tone: "neutral", word: "Used up" },
  expired: { tone: "neutral", word: "Ended" },
  rejected: { tone: "neutral", word: "Rejected" },
  revoked: { tone: "bad", word: "Revoked" },
} satisfies Record<MandateView["status"], Words>;

const PAYMENTS = {
  signed: { tone: "info", word: "Signed" },
  submitted: { tone: "info", word: "On its way" },
  settled: { tone: "good", word: "Settled" },
  expired: { tone: "neutral", word: "Not used" },
  cancelled: { tone: "neutral", word: "Cancelled" },
} satisfies Record<PaymentView["status"], Words>;
