import type { Fact } from "./chain";

/** A settlement as the database has it. */
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
  /** The head as the service knew it. */
  claimed_at: string;
};

/** Whether the chain shows the transfer that was signed. */
export const hasMoved = (fact: Fact | undefined, to: string, value: bigint): boolean =>
  fact?.end === "used" && fact.to === to.toLowerCase() && fact.value === value;
