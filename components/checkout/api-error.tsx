import { usePayment } from "@/components/texts/context";
import type { Failure } from "@/lib/http/client";

/** What an API error means to the buyer. The API is in English; an error without a text of its own is shown as it is. */
export function ApiError({ failure }: { failure: Failure }) {
  const errors: Readonly<Record<string, string>> = usePayment().texts.errors;
  return errors[failure.code] ?? <span lang="en">{failure.message}</span>;
}
