import type { Draft, PromptDraft, TransactionDraft, X402Draft } from "./drafts";
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
