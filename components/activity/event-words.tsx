import { accountWords } from "./words/account";
import type { ActivityEvent, Describe, EventWords } from "./words/event";
import { linkWords } from "./words/links";
import { mandateWords } from "./words/mandates";
import { payeeWords } from "./words/payees";
import { paymentWords } from "./words/payments";
import { payoutWords } from "./words/payouts";
import { refundWords } from "./words/refunds";
import { settingWords } from "./words/settings";
import { settlementWords } from "./words/settlements";

/** Describes an event; an unknown type is shown by its name. */
export const wordsOf = (event: ActivityEvent): EventWords =>
  (DESCRIPTIONS[event.type] ?? unknown)(event, <Name event={event} />);

/** The agent's name is untrusted text: isolated, so that it cannot change the direction of the text around it. */
function Name({ event }: { event: ActivityEvent }) {
  if (event.agentName === null) return "An agent";
  return <bdi className="font-medium [overflow-wrap:anywhere]">{event.agentName}</bdi>;
}

const unknown: Describe = (event) => ({ says: <span className="mono">{event.type}</span>, tone: "neutral" });

const DESCRIPTIONS: Record<string, Describe> = {
  ...accountWords,
  ...settingWords,
  ...mandateWords,
  ...payeeWords,
  ...paymentWords,
  ...linkWords,
  ...refundWords,
  ...payoutWords,
  ...settlementWords,
};
