export const QUERY_MIN = 2;
export const QUERY_MAX = 100;

export const RESULT_KINDS = ["agent", "mandate", "link", "payment", "sale"] as const;

/** `id`: of the agent, mandate or link; of a payment its `paymentRecordId`, of a sale its `paymentId`. The texts are of strangers. */
export type Result = { kind: (typeof RESULT_KINDS)[number]; id: string; title: string; detail: string };
