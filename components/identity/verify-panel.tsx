"use client";

import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { CheckList, NAMES } from "./check-list";
import { Decoded } from "./decoded";
import { type Check, type Examination, type Expected, examine } from "./examine";

export type Pasted = Expected & { vc: string };
export type VerifyPanelProps = {
  initial: Pasted;
  /** True if the credential was passed from the issuing panel: the verify button receives the focus. */
  isPassedOn: boolean;
};

/** Verifies a credential in this browser, with the code that the page offers for copying. */
export function VerifyPanel({ initial, isPassedOn }: VerifyPanelProps) {
  const [pasted, setPasted] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Examination>();
  const verify = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (isPassedOn) verify.current?.focus();
  }, [isPassedOn]);

  function change(part: Partial<Pasted>) {
    setPasted({ ...pasted, ...part });
    setProblem(undefined);
    // A result belongs to the text that was verified.
    setResult(undefined);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    if (pasted.vc.trim() === "") return setProblem("Paste a credential first.");
    setBusy(true);
    setResult(undefined);
    setResult(await examine(pasted.vc, pasted).finally(() => setBusy(false)));
  }

  return (
    <Card title="Verify in this browser" id="verify" className="grid gap-5 [&>header]:mb-0">
      <p className="measure text-control text-ink-2">
        Runs the TypeScript verifier from below, here, against our published keys. Nothing you paste leaves this
        browser.
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <form onSubmit={submit} noValidate className="grid min-w-0 gap-4">
          <TextArea
            label="Credential"
            rows={6}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            dir="ltr"
            className="[&_textarea]:break-all [&_textarea]:font-mono"
            placeholder="eyJ…"
            value={pasted.vc}
            readOnly={isBusy}
            onChange={(event) => change({ vc: event.target.value })}
            error={problem}
          />
          <TextField
            label="Expected audience"
            aside="Not checked when empty"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            placeholder="https://api.example.com"
            value={pasted.audience}
            readOnly={isBusy}
            onChange={(event) => change({ audience: event.target.value })}
          />
          <TextArea
            label="Expected challenge"
            aside="Not checked when empty"
            rows={2}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            className="[&_textarea]:font-mono"
            value={pasted.challenge}
            readOnly={isBusy}
            onChange={(event) => change({ challenge: event.target.value })}
            hint="You may leave these two out to look at a credential. A real verifier must check both, always."
          />
          <div>
            <Button type="submit" variant="primary" busy={isBusy} ref={verify}>
              Verify credential
            </Button>
          </div>
        </form>
        {result ? <Result result={result} /> : <Waiting />}
      </div>
    </Card>
  );
}

function Waiting() {
  return (
    <p className="rounded-control border border-dashed border-line-2 px-6 py-10 text-center text-small text-ink-2">
      The result of each rule appears here.
    </p>
  );
}

function Result({ result }: { result: Examination }): ReactNode {
  switch (result.state) {
    case "judged":
      return (
        <div className="grid min-w-0 gap-4">
          <Verdict checks={result.checks} />
          <CheckList checks={result.checks} claims={result.claims} />
          <Decoded
            of="pasted"
            header={result.header}
            claims={result.claims}
            isUnproven={result.checks.some(({ rule, outcome }) => rule === "signature" && outcome === "failed")}
          />
        </div>
      );
    case "login":
      return (
        <Note tone="bad" live="assertive" title="This is a login JWT, not a credential">
          It logs the agent in to its wallet: never paste it anywhere and never show it to another service. Here it did
          not leave your browser. It expires by itself, after 15 minutes unless the operator chose another time.
        </Note>
      );
    case "unreadable":
      return (
        <Note tone="bad" live="assertive" title="This is not a credential">
          A credential is three groups of letters, digits, “-” and “_” with a dot between them. See whether all of it
          was copied, from the first “eyJ” to the last letter.
        </Note>
      );
    case "unreachable":
      return (
        <Note tone="warn" live="assertive" title="The published keys could not be read">
          So nothing is known about this credential, neither good nor bad. Try again. A service should answer 503 then.
        </Note>
      );
    default:
      return result satisfies never;
  }
}

function Verdict({ checks }: { checks: readonly Check[] }) {
  const named = (outcome: Check["outcome"]) =>
    checks.filter((check) => check.outcome === outcome && check.rule !== "single-use").map(({ rule }) => NAMES[rule]);
  const failed = named("failed");
  const leftOut = named("unchecked");
  if (failed.length > 0) {
    return (
      <Note tone="bad" live="assertive" title="Refuse this credential">
        Failed: {failed.join(", ").toLowerCase()}.
      </Note>
    );
  }
  if (leftOut.length > 0) {
    return (
      <Note tone="warn" live="polite" title="Good as far as it was checked">
        Not checked: {leftOut.join(", ").toLowerCase()}. A real verifier must, or it lets in credentials that were meant
        for others.
      </Note>
    );
  }
  return (
    <Note tone="good" live="polite" title="This credential is good">
      It is for the audience and answers the challenge you expect. Your service must still use the challenge only once.
    </Note>
  );
}
