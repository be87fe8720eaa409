import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { MandateView } from "@/lib/mandates/responses";
import type { PaymentView } from "@/lib/payments/responses";
import { VAULT_STATES } from "./vaults/words";

type Stateful = Pick<MandateView, "status" | "isEnabled" | "signedAt" | "vault">;

export function MandateStatus({ mandate }: { mandate: Stateful }) {
  const { tone, label } = wordsOf(mandate);
  return <Badge tone={tone}>{label}</Badge>;
}

export function PaymentStatus({ status }: { status: PaymentView["status"] }) {
  const { tone, label } = PAYMENTS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

export const paymentWord = (status: PaymentView["status"]): string => PAYMENTS[status].label;

type Words = { tone: BadgeTone; label: string };

function wordsOf({ status, isEnabled, signedAt, vault }: Stateful): Words {
  // A signed mandate cannot pay until its vault is open.
  if (status === "signed" && vault && vault.state !== "open") return VAULT_STATES[vault.state];
  if (status === "signed" && !isEnabled) return { tone: "warn", label: "Paused" };
  if (status === "expired" && signedAt === null) return { tone: "neutral", label: "Never signed" };
  return MANDATES[status];
}

const MANDATES = {
  draft: { tone: "info", label: "Agent not linked" },
  pending_signature: { tone: "info", label: "Waiting for you" },
  signed: { tone: "good", label: "Active" },
  exhausted: { tone: "neutral", label: "Used up" },
  expired: { tone: "neutral", label: "Ended" },
  rejected: { tone: "neutral", label: "Rejected" },
  revoked: { tone: "bad", label: "Revoked" },
} satisfies Record<MandateView["status"], Words>;

const PAYMENTS = {
  signed: { tone: "info", label: "Signed" },
  submitted: { tone: "info", label: "On its way" },
  settled: { tone: "good", label: "Settled" },
  expired: { tone: "neutral", label: "Not used" },
  cancelled: { tone: "neutral", label: "Cancelled" },
} satisfies Record<PaymentView["status"], Words>;
