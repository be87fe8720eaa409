import { TYPE_LABELS } from "@/components/activity/event-types";
import type { EventGroup } from "@/components/webhooks/types";
import { EVENT_TYPES } from "@/lib/webhooks/catalogue";

/** The types of events in groups, named as on the activity page. */
export const EVENT_GROUPS: readonly EventGroup[] = (
  [
    ["Payments of your agents", "payment"],
    ["Mandates", "mandate"],
    ["Payment links", "payment_link"],
    ["Refunds", "refund"],
    ["Payouts", "payout"],
    ["Money received or moved", "settlement"],
    ["Service credits", "credits"],
    ["Credentials", "vc"],
  ] as const
).map(([label, prefix]) => ({
  label,
  choices: EVENT_TYPES.filter((type) => type.split(".")[0] === prefix).map((type) => ({
    type,
    label: TYPE_LABELS[type === "vc.issued" ? "VC_ISSUED" : type],
  })),
}));
