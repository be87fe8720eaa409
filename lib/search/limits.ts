export const QUERY_MIN = 2;
export const QUERY_MAX = 100;

export const RESULT_KINDS = ["agent", "mandate", "link", "payment", "sale"] as const;

/** `id`: the id of the agent, mandate or link; `paymentRecordId` for a payment, `paymentId` for a sale. The texts are untrusted. */
export type SearchResult = { kind: (typeof RESULT_KINDS)[number]; id: string; title: string; detail: string };
