"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { WRAPPED } from "@/components/ui/wrapped";
import type { Answer, Failure } from "@/lib/http/client";

export type Problem = { title: string; text: string };

export type DecisionProps<Refusal extends string> = {
  /** The action of the API that refuses the request, and the button's label. */
  refusal: { verb: Refusal; label: string };
  /** The button that approves the request; the label includes the amount. */
  approval: { label: string; isDisabled: boolean };
  send: (verb: "approve" | Refusal) => Promise<Answer<unknown>>;
  problemOf: (verb: "approve" | Refusal, failure: Failure) => Problem;
  /** Shown above the buttons. */
  children?: ReactNode;
};

/**
 * Approve or refuse a request: two buttons of equal weight. Both calls are idempotent, so a person whose response was lost
 * can press again.
 */
export function Decision<Refusal extends string>(props: DecisionProps<Refusal>) {
  const { refusal, approval, send, problemOf, children } = props;
  const router = useRouter();
  const [busy, setBusy] = useState<"approve" | Refusal>();
  const [problem, setProblem] = useState<Problem>();

  async function decide(verb: "approve" | Refusal) {
    if (busy !== undefined) return;
    setBusy(verb);
    setProblem(undefined);
    const response = await send(verb);
    setBusy(undefined);
    if (!response.ok) setProblem(problemOf(verb, response));
    // The page shows the current state, whatever the response was.
    router.refresh();
  }

  return (
    <div className="grid gap-3">
      {children}
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
        <Button
          wide
          busy={busy === refusal.verb}
          disabled={busy === "approve"}
          onClick={() => void decide(refusal.verb)}
        >
          {refusal.label}
        </Button>
        <Button
          variant="primary"
          wide
          className={WRAPPED}
          busy={busy === "approve"}
          disabled={busy === refusal.verb || approval.isDisabled}
          onClick={() => void decide("approve")}
        >
          {approval.label}
        </Button>
      </div>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title={problem.title}>
          {problem.text}
        </Note>
      )}
    </div>
  );
}
