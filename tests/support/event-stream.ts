import { assertDocumented } from "./documented";
import { BASE_URL, call, fetchPath } from "./http";

export type StreamEvent = { event: string; id: string | null; data: { id?: string | null; kind?: string } };

export type EventStream = {
  headers: Headers;
  /** The next event other than `alive`; null when the stream has ended. */
  next: () => Promise<StreamEvent | null>;
  /** All events until `count` changes have come. */
  changes: (count: number) => Promise<StreamEvent[]>;
  close: () => void;
};

type Options = {
  session: string;
  lastEventId?: string;
  since?: string;
  port?: number;
  headers?: Record<string, string>;
};

/** Opens an owner's stream of events, and reads until it is ready. */
export async function listenTo(options: Options): Promise<EventStream & { missed: StreamEvent[]; ready: StreamEvent }> {
  const { session, lastEventId, since, port } = options;
  const aborting = new AbortController();
  const headers = {
    cookie: `next-auth.session-token=${session}`,
    ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    ...options.headers,
  };
  const query = since === undefined ? "" : `?lastEventId=${since}`;
  const response = await fetchPath("GET", `/api/events${query}`, {
    headers,
    signal: aborting.signal,
    ...(port !== undefined && { port }),
  });
  if (response.status !== 200 || !response.body) throw new Error(`${response.status}: ${await response.text()}`);
  const { status, headers: answered } = response;
  assertDocumented({ method: "GET", path: "/api/events", status, headers: answered, text: "", body: null });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  async function next(): Promise<StreamEvent | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end !== -1) {
        const event = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (event && event.event !== "alive") return event;
        continue;
      }
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return null;
      text += value;
    }
  }
  async function changes(count: number): Promise<StreamEvent[]> {
    const found: StreamEvent[] = [];
    while (found.length < count) {
      const event = await next();
      if (!event) throw new Error(`the stream ended after ${found.length} changes`);
      found.push(event);
    }
    return found;
  }

  const missed: StreamEvent[] = [];
  for (;;) {
    const event = await next();
    if (!event) throw new Error("the stream ended before it was ready");
    if (event.event === "ready") {
      const close = () => {
        aborting.abort();
        // In the test's own process the signal ends nothing.
        void reader.cancel().catch(() => undefined);
      };
      return { headers: response.headers, next, changes, close, missed, ready: event };
    }
    missed.push(event);
  }
}

function parse(block: string): StreamEvent | null {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const event = fields.get("event");
  if (event === undefined) return null;
  return { event, id: fields.get("id") ?? null, data: JSON.parse(fields.get("data") ?? "{}") };
}

/** The response when it is refused. */
export const refusedStream = (session?: string) =>
  call(
    "GET",
    "/api/events",
    session === undefined ? {} : { headers: { cookie: `next-auth.session-token=${session}`, origin: BASE_URL } },
  );
