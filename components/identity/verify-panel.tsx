"use client";

import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import type { Rule } from "@/docs/verifiers/verify-vc";
import { Decoded } from "./decoded";
import { type Check, type Claims, type Examination, type Expected, examine, type Outcome } from "./examine";

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
        Runs the TypeScript verifier shown below in this browser, with our published keys. Nothing you paste leaves it.
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
            hint="You can leave these two empty to inspect a credential. Your service must always check both."
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
          A credential is three groups of letters, digits, “-” and “_” with a dot between them. Copy all of it, from the
          first “eyJ” to the last character.
        </Note>
      );
    case "unreachable":
      return (
        <Note tone="warn" live="assertive" title="The published keys could not be read">
          We cannot tell whether this credential is valid. Try again. In this case your service should respond with 503.
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
      <Note tone="warn" live="polite" title="Nothing failed, but not every rule was checked">
        Not checked: {leftOut.join(", ").toLowerCase()}. Your service must check this too: otherwise it accepts
        credentials that were issued for other services.
      </Note>
    );
  }
  return (
    <Note tone="good" live="polite" title="This credential is good">
      It is for the audience and answers the challenge you expect. Your service must still use the challenge only once.
    </Note>
  );
}

type CheckListProps = { checks: readonly Check[]; claims: Claims };

/** Each rule with its result and an explanation. */
function CheckList({ checks, claims }: CheckListProps) {
  return (
    <ul aria-label="Rules" className="grid divide-y rounded-control border">
      {checks.map(({ rule, outcome }) => {
        const { Icon, label, colour } = OUTCOMES[outcome];
        return (
          <li key={rule} className="flex gap-3 px-3.5 py-3 text-small">
            <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0", colour)} />
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                <p className="font-medium">{NAMES[rule]}</p>
                <p className={colour}>{label}</p>
              </div>
              <p className="text-ink-2 [overflow-wrap:anywhere]">{sentence(rule, outcome, claims)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

const OUTCOMES = {
  passed: { Icon: CircleCheck, label: "Passed", colour: "text-good" },
  failed: { Icon: CircleX, label: "Failed", colour: "text-bad" },
  unchecked: { Icon: CircleDashed, label: "Not checked", colour: "text-ink-2" },
  unreached: { Icon: CircleDashed, label: "Not looked at", colour: "text-ink-2" },
} satisfies Record<Outcome, { Icon: typeof CircleX; label: string; colour: string }>;

const NAMES: Record<Rule, string> = {
  signature: "Signature",
  type: "Type",
  issuer: "Issuer",
  audience: "Audience",
  lifetime: "Lifetime",
  challenge: "Challenge",
  "single-use": "Single use",
};

function sentence(rule: Rule, outcome: Outcome, claims: Claims): ReactNode {
  if (outcome === "unreached") return "Without a valid signature, its contents prove nothing.";
  return SENTENCES[rule](outcome, claims);
}

const SENTENCES: Record<Rule, (outcome: Outcome, claims: Claims) => ReactNode> = {
  signature: (outcome) =>
    outcome === "passed"
      ? "RS256, by a key that is published here."
      : "No key that is published here signed this exact text.",
  type: (outcome) =>
    outcome === "passed"
      ? "The header says agent-vc."
      : "The header does not say exactly agent-vc: it is no credential.",
  issuer: (outcome) => (outcome === "passed" ? "service-agent-did." : "It is not service-agent-did."),
  audience: (outcome, { aud }) =>
    outcome === "passed" ? (
      "It is for the audience you expect."
    ) : (
      <Says what="audience" value={aud} outcome={outcome} />
    ),
  lifetime: (outcome, { exp }) =>
    typeof exp === "number" ? (
      <>
        {outcome === "passed" ? "Valid until " : "It ended on "}
        <Time at={momentOf(exp)} />, by this device’s clock.
      </>
    ) : (
      "It has no expiry."
    ),
  challenge: (outcome, { challenge }) =>
    outcome === "passed" ? (
      "It answers the challenge you expect."
    ) : (
      <Says what="challenge" value={challenge} outcome={outcome} />
    ),
  "single-use": () => "Only your service knows which challenges were used before. It must mark this one in one step.",
};

/** Clamps to the range of Date, which is 8.64e12 seconds. */
const momentOf = (seconds: number) => new Date(Math.min(Math.max(seconds, 0), 8.64e12) * 1000);

function Says({ what: claimName, value, outcome }: { what: string; value: unknown; outcome: Outcome }) {
  const reason =
    outcome === "failed"
      ? `It is not the ${claimName} you expect.`
      : `You entered no ${claimName} to compare. Your service must always compare it.`;
  if (typeof value !== "string") return `${reason} It does not name exactly one.`;
  return (
    <>
      {reason} It says <bdi className="mono text-ink">{value}</bdi>
    </>
  );
}
