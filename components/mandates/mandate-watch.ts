import type { MandateView } from "@/lib/mandates/responses";

/** A mandate and the name of the agent it is for. */
export type AgentMandate = MandateView & { agentName: string };

const SOON_MS = 3 * 86_400_000;

/** The reason why an active mandate needs the owner's attention at `now`, or undefined. */
export function nearEnd(m: MandateView, now: Date): string | undefined {
  if (m.status !== "signed" || !m.isEnabled) return undefined;
  const isLow = m.remainingAmount * 5n <= m.limitAmount;
  // Three days, or the last tenth of a shorter mandate.
  const endingMs = Math.min(SOON_MS, (m.validUntil.getTime() - m.validFrom.getTime()) / 10);
  const isEnding = m.validUntil.getTime() - now.getTime() <= endingMs;
  if (isLow && isEnding) return "Little is left, and it ends soon";
  if (isLow) return "Less than a fifth is left";
  return isEnding ? "It ends soon" : undefined;
}
