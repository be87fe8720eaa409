import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import { Time } from "@/components/ui/time";
import type { Rule } from "@/docs/verifiers/verify-vc";
import type { Check, Claims, Outcome } from "./examine";

export type CheckListProps = { checks: readonly Check[]; claims: Claims };

/** Each rule with its result and an explanation. */
export function CheckList({ checks, claims }: CheckListProps) {
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

export const NAMES: Record<Rule, string> = {
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
      : `You expect no ${claimName}; a real verifier must.`;
  if (typeof value !== "string") return `${reason} It does not name exactly one.`;
  return (
    <>
      {reason} It says <bdi className="mono text-ink">{value}</bdi>
    </>
  );
}
