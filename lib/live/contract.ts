import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";

const ID_CHARACTERS_MAX = 100;

const { rate_limited } = edgeErrors.table;

export const listenEvents = endpoint({
  method: "GET",
  path: "/api/events",
  summary: "What happens to the owner, as server-sent events",
  description:
    "The dashboard refreshes by it. `event: change` has `data: {id, kind}`: the id of the recorded event and its type, or null and a word for a change that is not recorded. `event: ready` is the first one, `event: alive` comes every 15 seconds. With `Last-Event-ID` the stream begins with the recorded events since that one, and those of the minute before it; if it is not among the newest 200, with one change of the kind `missed`. The details are in `GET /api/activity.csv`.",
  work: 12,
  auth: "owner",
  surface: "wallet",
  headers: { "Last-Event-ID": "The id of the last event that was received; browsers send it when they reconnect" },
  // EventSource cannot set the header on the first connection.
  query: z.object({ lastEventId: z.string().max(ID_CHARACTERS_MAX).optional() }),
  response: { contentType: "text/event-stream; charset=utf-8" },
  errors: { rate_limited },
});
