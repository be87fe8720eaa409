import type { ActivityEvent, Describe } from "./event";

const page = (event: ActivityEvent) => ({ href: `/authorize/payee/${event.subject}` });

/** The host and the address from the event's details. */
const Pair = ({ event: { meta } }: { event: ActivityEvent }) => (
  <>
    <bdi className="[overflow-wrap:anywhere]">{String(meta.origin)}</bdi>:{" "}
    <span className="mono [overflow-wrap:anywhere]">{String(meta.payTo)}</span>
  </>
);

export const payeeWords: Record<string, Describe> = {
  "payee.requested": (event, agent) => ({
    says: (
      <>
        {agent} wants to pay a new address for <Pair event={event} />
      </>
    ),
    tone: "info",
    ...page(event),
  }),
  "payee.confirmed": (event) => ({
    says: (
      <>
        {event.meta.by === "host" ? "A host confirmed its address" : "You confirmed an address"} for{" "}
        <Pair event={event} />
      </>
    ),
    tone: "good",
    ...page(event),
  }),
  "payee.changed": (event) => ({
    says: (
      <>
        The address changed for <Pair event={event} />, before{" "}
        <span className="mono [overflow-wrap:anywhere]">{String(event.meta.previousPayTo)}</span>
      </>
    ),
    tone: "warn",
    ...page(event),
  }),
  "payee.refused": (event) => ({
    says: (
      <>
        You refused an address for <Pair event={event} />
      </>
    ),
    tone: "neutral",
    ...page(event),
  }),
};
