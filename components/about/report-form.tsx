"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { REPORT_REASON_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";

/** Reports an address on a list of the operator. The reason may stay empty. */
export function ReportForm({ address }: { address: string }) {
  const [reason, setReason] = useState("");
  const [state, setState] = useState<"idle" | "busy" | "sent">("idle");
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state === "busy") return;
    setState("busy");
    setProblem(undefined);
    const response = await callApi("POST", "/api/payee-reports", { address, reason });
    setState(response.ok ? "sent" : "idle");
    if (!response.ok) setProblem(response.message);
  }

  if (state === "sent")
    return (
      <Note tone="good" live="polite" title="Sent to the operator">
        The address stays on the list until the operator takes it off.
      </Note>
    );
  return (
    <form onSubmit={submit} noValidate className="mt-2 grid max-w-120 gap-4" aria-label="Report">
      <TextArea
        label="Why it is a mistake"
        aside="Optional"
        value={reason}
        maxLength={REPORT_REASON_MAX}
        rows={4}
        onChange={(event) => setReason(event.target.value)}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="Not sent">
          {problem}
        </Note>
      )}
      <div>
        <Button type="submit" variant="primary" busy={state === "busy"}>
          Send report
        </Button>
      </div>
    </form>
  );
}
