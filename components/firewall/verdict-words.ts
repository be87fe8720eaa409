import type { Severity, Verdict } from "@tessera/firewall/verdict";
import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";
import type { BadgeTone } from "@/components/ui/badge";
import type { Scanner } from "./scanners";

export const VERDICTS = {
  pass: { Icon: CircleCheck, label: "Pass", colour: "text-good", ground: "bg-good-soft", bar: "bg-good" },
  review: { Icon: TriangleAlert, label: "Review", colour: "text-warn", ground: "bg-warn-soft", bar: "bg-warn" },
  block: { Icon: OctagonX, label: "Block", colour: "text-bad", ground: "bg-bad-soft", bar: "bg-bad" },
} satisfies Record<Verdict, { Icon: typeof OctagonX; label: string; colour: string; ground: string; bar: string }>;

/** The verdict in a sentence: what it rests on, and what an agent should do with the input. A pass is never called safe. */
export function meaningOf(scanner: Scanner, { verdict, findings }: { verdict: Verdict; findings: readonly unknown[] }) {
  const { length: count } = findings;
  if (verdict !== "pass") return MEANINGS[scanner][verdict];
  const rests = count === 0 ? "No known signal matched." : `Pass, with ${countText(count)} below the review limit.`;
  return `${rests} ${MEANINGS[scanner].pass}`.trim();
}

export const countText = (count: number): string => (count === 1 ? "1 finding" : `${count} findings`);

const MEANINGS: Record<Scanner, Record<Verdict, string>> = {
  transaction: {
    pass: "",
    review: "Show a person what it does before it is signed.",
    block: "Do not sign it.",
  },
  x402: {
    pass: "Pay only within the approved mandate and amount.",
    review: "Explain the exact mismatch to a person and let them decide.",
    block: "Create no payment for it.",
  },
  prompt: {
    pass: "It is still somebody else’s text.",
    review: "Have a person look before anything acts on it.",
    block: "Don’t give this to an agent.",
  },
};

export const SEVERITY_TONES: Record<Severity, BadgeTone> = {
  low: "neutral",
  medium: "warn",
  high: "bad",
  critical: "bad",
};
