import { utcMinute } from "@/components/ui/format-time";
import { type ActivityEvent, byOwner, type Describe, settlementReceipt, sum } from "./event";

const link = (event: ActivityEvent) => ({ href: `/dashboard/links/${event.subject}` });

export const linkWords: Record<string, Describe> = {
  "payment_link.created": (event, agent) => ({
    says: byOwner(event) ? (
      <>
        You made a payment link of {agent} for {sum(event, "amount")}
      </>
    ) : (
      <>
        {agent} made a payment link for {sum(event, "amount")}
      </>
    ),
    tone: "info",
    ...link(event),
  }),
  "payment_link.updated": (event, agent) => ({
    says: (
      <>
        {byOwner(event) ? <>You changed a payment link of {agent}</> : <>{agent} changed a payment link</>}
        {changes(event)}
      </>
    ),
    tone: "neutral",
    ...link(event),
  }),
  "payment_link.deleted": (event, agent) => ({
    says: byOwner(event) ? <>You deleted a payment link of {agent}</> : <>{agent} deleted a payment link</>,
    tone: "neutral",
  }),
  "payment_link.paid": (event, agent) => ({
    says: (
      <>
        A payment link of {agent} was paid {sum(event, "amount")}
      </>
    ),
    tone: "good",
    ...settlementReceipt(event),
  }),
};

/** The changed fields of a link, with old and new values where these are short and contain no user text. */
function changes({ meta }: ActivityEvent): string {
  const names = Array.isArray(meta.changed)
    ? meta.changed.map(String).filter((name) => Object.hasOwn(FIELDS, name))
    : [];
  const parts = names.map((name) => {
    const [from, to] = [shortly(meta.from, name), shortly(meta.to, name)];
    return from === undefined || to === undefined ? FIELDS[name] : `${FIELDS[name]} from ${from} to ${to}`;
  });
  return parts.length > 0 ? `: ${parts.join(", ")}` : "";
}

function shortly(values: unknown, name: string): string | undefined {
  const value = typeof values === "object" && values !== null ? new Map(Object.entries(values)).get(name) : undefined;
  if (name === "status") return value === "active" ? "on" : value === "disabled" ? "off" : undefined;
  if (name === "maxUses") return value === null ? "any" : typeof value === "number" ? String(value) : undefined;
  if (name !== "expiresAt") return undefined;
  if (value === null) return "never";
  return typeof value === "string" ? utcMinute(new Date(value)) : undefined;
}

const FIELDS: Record<string, string> = {
  description: "description",
  resourceContent: "content",
  file: "file",
  image: "image",
  redirectUrl: "redirect",
  status: "switched",
  expiresAt: "expiry",
  maxUses: "number of payments",
};
