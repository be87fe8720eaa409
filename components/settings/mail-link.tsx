"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";

export type MailLinkProps = {
  /** The button's label, and the text after success. */
  verb: string;
  done: string;
  path: `/api/${string}`;
  body?: unknown;
};

/** Requires a click: programs that follow the links in emails must not confirm or end anything. */
export function MailLink({ verb, done, path, body }: MailLinkProps) {
  const [state, setState] = useState<"idle" | "busy" | "done" | { failure: string }>("idle");
  async function press() {
    setState("busy");
    const response = await callApi("POST", path, body);
    setState(response.ok ? "done" : { failure: response.message });
  }
  if (state === "done") {
    return (
      <Note tone="good" live="polite">
        {done}
      </Note>
    );
  }
  return (
    <div className="grid gap-4">
      {typeof state === "object" && (
        <Note tone="bad" live="assertive">
          {state.failure}
        </Note>
      )}
      <div>
        <Button variant="primary" busy={state === "busy"} onClick={press}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
