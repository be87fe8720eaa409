"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/dashboard/words";
import { callApi } from "@/lib/http/client";

export type Failure = { message: string; field?: string | undefined };

/**
 * Sends one webhook API request at a time, and refreshes the page after each response. `dialog` requests a signature when a
 * request requires one.
 */
export function useWebhookCall() {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { post, patch, dialog } = useConfirmed();

  /** The response; undefined after a failure, with the reason in `failure`. */
  async function send<T>(method: "POST" | "PATCH", path: `/${string}`, body?: object): Promise<T | undefined> {
    if (isBusy) return undefined;
    setBusy(true);
    setFailure(undefined);
    const signed = method === "PATCH" ? patch : post;
    const response = await (body === undefined ? callApi<T>("POST", path) : signed<T>(path, body));
    setBusy(false);
    router.refresh();
    if (response.ok) return response.data;
    const field = response.code.startsWith("url_") ? "url" : response.details?.field;
    setFailure({ message: sentenceFor(response), field: typeof field === "string" ? field : undefined });
    return undefined;
  }

  return { send, isBusy, failure, dialog, forget: () => setFailure(undefined) };
}
