import type { Draft, PromptDraft, TransactionDraft, X402Draft } from "./drafts";
import { PROMPTS } from "./gallery-prompts";
import { REQUIREMENTS } from "./gallery-requirements";
import { TRANSACTIONS } from "./gallery-transactions";

/** Something to try a scanner with. Attacks and the ordinary things that look like them are told apart in the gallery. */
export type Example<Kind extends Draft = Draft> = {
  /** Stands in links to the page, so it stays. */
  id: string;
  name: string;
  isAttack: boolean;
  /** What to notice, in a sentence. */
  about: string;
  draft: Kind;
  /** The id of what it is worth comparing with. */
  twin?: string;
};

export const GALLERY = {
  transaction: TRANSACTIONS,
  x402: REQUIREMENTS,
  prompt: PROMPTS,
} as const satisfies {
  transaction: readonly Example<TransactionDraft>[];
  x402: readonly Example<X402Draft>[];
  prompt: readonly Example<PromptDraft>[];
};

export const exampleOf = (scanner: Draft["scanner"], id: string | null | undefined): Example | undefined =>
  GALLERY[scanner].find((example) => example.id === id);
