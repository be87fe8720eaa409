import { z } from "zod";
import { type AgentId, type Id, type IdKind, PREFIX } from "./ids";

/** An id of `kind` in a path or a body. */
export const id = <K extends IdKind>(kind: K) =>
  z
    .custom<Id<K>>(
      (value) =>
        typeof value === "string" &&
        value.startsWith(PREFIX[kind]) &&
        /^[0-9A-Za-z]{16,40}$/.test(value.slice(PREFIX[kind].length)),
      `must be a ${kind} id (${PREFIX[kind]}…)`,
    )
    .meta({ type: "string", pattern: `^${PREFIX[kind]}[0-9A-Za-z]{16,40}$` });

/** The JSON Schema of an id of any kind. */
export const anyIdText = { type: "string", pattern: "^[\\w.:\\-]{1,100}$" } as const;

const AGENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const agentId = z
  .custom<AgentId>(
    (value) => typeof value === "string" && AGENT_ID.test(value),
    "must be an agent id (a lower-case UUID)",
  )
  .meta({ type: "string", pattern: AGENT_ID.source });
