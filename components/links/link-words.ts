import type { BadgeTone } from "@/components/ui/badge";
import type { LinkItem } from "@/lib/links/contract";

type State = { tone: BadgeTone; word: string };

export const linkState = (reason: LinkItem["unavailableReason"]): State => (reason === null ? ACTIVE : CLOSED[reason]);

const ACTIVE: State = { tone: "good", word: "Active" };

const CLOSED = {
  LINK_DISABLED: { tone: "neutral", word: "Disabled" },
  LINK_EXPIRED: { tone: "warn", word: "Expired" },
  LINK_SOLD_OUT: { tone: "warn", word: "Sold out" },
} satisfies Record<NonNullable<LinkItem["unavailableReason"]>, State>;
