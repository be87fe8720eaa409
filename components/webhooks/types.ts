/** A kind of event, as the form offers it. */
export type EventChoice = { type: string; label: string };
/** Related event types under one heading. */
export type EventGroup = { label: string; choices: EventChoice[] };
