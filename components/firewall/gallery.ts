import { type Draft, EXPECTED_FIELDS, type PromptDraft, type TransactionDraft, type X402Draft } from "./drafts";
import type { Example } from "./example";
import { PROMPTS } from "./gallery-prompts";
import { REQUIREMENTS } from "./gallery-requirements";
import { TRANSACTIONS } from "./gallery-transactions";

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

/** Opened without an example in the URL, so that the page shows a verdict at once. */
export const firstOf = (scanner: Draft["scanner"]): Example | undefined => GALLERY[scanner][0];

/** Whether the expectations of a draft are those of an example, unchanged. */
export const expectsAnExample = ({ expected }: X402Draft): boolean =>
  REQUIREMENTS.some(({ draft }) => EXPECTED_FIELDS.every((field) => draft.expected[field] === expected[field]));
