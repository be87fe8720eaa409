"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { callApi } from "@/lib/http/client";

export type Failure = { message: string; field?: string | undefined };

/** Sends one webhook API request at a time, and refreshes the page after each response. */
export function useWebhookCall() {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  /** The response; undefined after a failure, with the reason in `failure`. */
  async function send<T>(
    method: "POST" | "PATCH" | "DELETE",
    path: `/${string}`,
    body?: object,
  ): Promise<T | undefined> {
    if (isBusy) return undefined;
    setBusy(true);
    setFailure(undefined);
    const answer = await callApi<T>(method, path, body);
    setBusy(false);
    router.refresh();
    if (answer.ok) return answer.data;
    const field = answer.code.startsWith("url_") ? "url" : answer.details?.field;
    setFailure({ message: sentenceFor(answer), field: typeof field === "string" ? field : undefined });
    return undefined;
  }

  return { send, isBusy, failure, forget: () => setFailure(undefined) };
}
