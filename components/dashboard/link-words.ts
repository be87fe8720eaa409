import type { BadgeTone } from "@/components/ui/badge";
import type { LinkItem } from "@/lib/links/contract";

/** What a link is called: what its seller wrote first, since links have no names. */
export function linkTitle(description: string): string {
  const [first = ""] = description.trim().split(/[\r\n]/);
  const letters = [...first];
  if (letters.length === 0) return "Payment link";
  return letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join("")}…` : first;
}

const TITLE_MAX = 80;

type State = { tone: BadgeTone; word: string };

export const linkState = (why: LinkItem["unavailableReason"]): State => (why === null ? ACTIVE : CLOSED[why]);

const ACTIVE: State = { tone: "good", word: "Active" };

const CLOSED = {
  LINK_DISABLED: { tone: "neutral", word: "Disabled" },
  LINK_EXPIRED: { tone: "warn", word: "Expired" },
  LINK_SOLD_OUT: { tone: "warn", word: "Sold out" },
} satisfies Record<NonNullable<LinkItem["unavailableReason"]>, State>;
