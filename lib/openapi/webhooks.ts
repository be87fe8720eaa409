import { refTo, type Schema } from "@/lib/core/json-schema";
import {
  type Entry,
  EVENT_TYPES,
  type EventType,
  entryOf,
  MEMBER_TYPES,
  TEST_TYPE,
  VERIFICATION_TYPE,
} from "@/lib/webhooks/catalogue";

/** The headers of Standard Webhooks 1.0.0. */
const PARAMETERS = [
  ["webhook-id", "The event: the same for every attempt and replay"],
  ["webhook-timestamp", "The time of this attempt, in Unix seconds"],
  [
    "webhook-signature",
    "`v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; one for each valid secret, separated by a space",
  ],
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

const TEXT: Schema = { type: ["string", "null"] };
/** The members that are no simple values, by name. */
const SCHEMAS: Readonly<Record<string, Schema>> = {
  summary: { type: ["object", "null"], anyOf: [refTo("ApprovalSummary"), { type: "null" }] },
};

const dataOf = ({ subject, data }: Entry): Schema => ({
  type: "object",
  properties: {
    [subject]: { type: "string" },
    agentId: { type: ["string", "null"] },
    ...Object.fromEntries(
      Object.entries(data).map(([name, description]) => [
        name,
        { ...(SCHEMAS[name] ?? MEMBER_TYPES[name] ?? TEXT), description },
      ]),
    ),
  },
  required: [subject, "agentId", ...Object.keys(data)],
});

const messageOf = (type: string, data: Schema): Schema => ({
  type: "object",
  properties: { type: { const: type }, timestamp: { type: "string", format: "date-time" }, data },
  required: ["type", "timestamp", "data"],
});

function operation(type: string, summary: string, data: Schema) {
  return {
    post: {
      operationId: `on.${type}`,
      tags: ["Webhooks"],
      summary,
      security: [],
      parameters: PARAMETERS,
      requestBody: { required: true, content: { "application/json": { schema: messageOf(type, data) } } },
      responses: {
        "2XX": { description: "Received. Answer before you process the event" },
        "4XX": { description: "Refused. The message is sent again later" },
      },
    },
  };
}

const buildTextSchema = (names: readonly string[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: [...names],
});

/** The webhook messages by event type. */
export const webhooks = () => ({
  ...Object.fromEntries(
    EVENT_TYPES.map((type: EventType) => [type, operation(type, entryOf(type).says, dataOf(entryOf(type)))]),
  ),
  [TEST_TYPE]: operation(TEST_TYPE, "A test that you asked for", buildTextSchema(["webhookId"])),
  [VERIFICATION_TYPE]: operation(
    VERIFICATION_TYPE,
    "Answer with the challenge, to show that you expect our messages",
    buildTextSchema(["webhookId", "challenge"]),
  ),
});
