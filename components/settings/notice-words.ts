import type { NoticeKind } from "@/lib/notices/kinds";

/** The kinds of notices, as a person chooses them. */
export const NOTICE_LABELS: Record<NoticeKind, string> = {
  approval_wanted: "Something waits for your approval",
  payment_refused: "A payment was refused",
  budget_low: "80 % of a mandate is used",
  balance_low: "Little money is left for your agents",
  money_received: "Money arrived",
  webhook_failing: "A webhook was disabled because it fails",
  sign_in: "Somebody signed in with your wallet",
};
