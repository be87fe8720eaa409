import { useCallback, useEffect, useRef, useState } from "react";
import type { BuiltRequest } from "./request";
import { type Answer, send } from "./response";

export type Sending =
  | { readonly state: "empty" | "sending" | "cancelled" | "failed" }
  | { readonly state: "done"; readonly answer: Answer };

/** Sends one request at a time. Leaving the page cancels it. */
export function useSend(withSession: boolean) {
  const [sending, setSending] = useState<Sending>({ state: "empty" });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  const start = useCallback(
    (request: BuiltRequest) => {
      const controller = new AbortController();
      current.current = controller;
      setSending({ state: "sending" });
      send(request, withSession, controller.signal).then(
        (response) => setSending({ state: "done", answer: response }),
        () => setSending({ state: controller.signal.aborted ? "cancelled" : "failed" }),
      );
    },
    [withSession],
  );
  const cancel = useCallback(() => current.current?.abort(), []);
  return { sending, start, cancel };
}
