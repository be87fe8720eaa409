/** The kinds of notices, by mail and in a browser. */
export const NOTICE_KINDS = [
  "approval_wanted",
  "payment_refused",
  "budget_low",
  "balance_low",
  "money_received",
  "webhook_failing",
  "sign_in",
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const isSameSet = (some: readonly NoticeKind[], otherKinds: readonly NoticeKind[]): boolean =>
  NOTICE_KINDS.every((kind) => some.includes(kind) === otherKinds.includes(kind));
