import type { Fact } from "./chain";

/** A settlement row in the database. */
export type Row = {
  id: string;
  payer: string;
  nonce: string;
  payee: string;
  amount: string;
  purpose: string;
  subject: string;
  state: string;
  failure_code: string | null;
  /** The observer's cursor at the claim. */
  claimed_at: string;
};

/** Whether the chain has the signed transfer. */
export const hasMoved = (fact: Fact | undefined, to: string, value: bigint): boolean =>
  fact?.end === "used" && fact.to === to.toLowerCase() && fact.value === value;
