import type { ActivityEvent } from "./words/event";

type Group = [ActivityEvent, ...ActivityEvent[]];

/**
 * Folds the events of one sale, and those of one refund, into one group: the request, the approval, and what its settlement and the link
 * each record. `events`: newest first, as are the groups by their newest event. A group begins with the event that says most.
 */
export function foldEvents(events: readonly ActivityEvent[]): Group[] {
  const settlementOf = new Map(
    events.filter(isRefund).flatMap(({ subject, meta }) => {
      return typeof meta.settlementId === "string" ? [[subject, meta.settlementId] as const] : [];
    }),
  );
  const groups = new Map<string, Group>();
  for (const event of events) {
    const key = keyOf(event, settlementOf);
    const group = groups.get(key);
    if (group) group.push(event);
    else groups.set(key, [event]);
  }
  return [...groups.values()].map(leadFirst);
}

function keyOf(event: ActivityEvent, settlementOf: ReadonlyMap<string, string>): string {
  if (isSettlement(event)) return event.subject;
  if (isRefund(event)) return settlementOf.get(event.subject) ?? event.subject;
  const { settlementId } = event.meta;
  return event.type === "payment_link.paid" && typeof settlementId === "string" ? settlementId : event.id;
}

const isSettlement = ({ type }: ActivityEvent) => type.startsWith("settlement.");
const isRefund = ({ type }: ActivityEvent) => type.startsWith("refund.");

/** A transaction records the end of a settlement together with what it means: that the link is paid, or the refund. */
function leadFirst(group: Group): Group {
  const [newest] = group;
  const lead = group.find((event) => event.at.getTime() === newest.at.getTime() && !isSettlement(event)) ?? newest;
  return [lead, ...group.filter((event) => event !== lead)];
}
