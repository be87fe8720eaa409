import { usePayment } from "@/components/texts/context";
import type { Failure } from "@/lib/http/client";

/** Explains an API error to the buyer. The API's messages are in English: a code without a translation shows its original message. */
export function ApiError({ failure }: { failure: Failure }) {
  const errors: Readonly<Record<string, string>> = usePayment().texts.errors;
  return errors[failure.code] ?? <span lang="en">{failure.message}</span>;
}
