import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { LinkState } from "@/lib/links/contract";

export const STATE_WORDS = {
  active: "Active",
  disabled: "Disabled",
  expired: "Expired",
  sold_out: "Sold out",
} as const satisfies Record<LinkState, string>;

export const StateBadge = ({ state }: { state: LinkState }) => (
  <Badge tone={TONES[state]} className="whitespace-nowrap">
    {STATE_WORDS[state]}
  </Badge>
);

const TONES = { active: "good", disabled: "neutral", expired: "warn", sold_out: "warn" } as const satisfies Record<
  LinkState,
  BadgeTone
>;
