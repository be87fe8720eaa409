import type { BadgeTone } from "@/components/ui/badge";
import type { LinkItem } from "@/lib/links/contract";

type State = { tone: BadgeTone; label: string };

export const linkState = (reason: LinkItem["unavailableReason"]): State => (reason === null ? ACTIVE : CLOSED[reason]);

const ACTIVE: State = { tone: "good", label: "Active" };

const CLOSED = {
  LINK_DISABLED: { tone: "neutral", label: "Disabled" },
  LINK_EXPIRED: { tone: "warn", label: "Expired" },
  LINK_SOLD_OUT: { tone: "warn", label: "Sold out" },
} satisfies Record<NonNullable<LinkItem["unavailableReason"]>, State>;
