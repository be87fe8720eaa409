import { type ApiDocument, type Listed, mediaOf, type Operation, parametersOf } from "./api-document";
import type { Schema } from "./schema-text";

/** A value that the reader enters before sending a request. */
export type CallField = {
  /** The name of the parameter or header. */
  readonly name: string;
  readonly place: "path" | "query" | "header";
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** Text before the value, for example "Bearer ". */
  readonly prefix: string;
};

/** A request that a reader can send from a reference page. */
export type Call = {
  /** In upper case. */
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly fields: readonly CallField[];
  /** The name of the owner's session cookie, for endpoints that read it. */
  readonly session: string | null;
  readonly body: { readonly type: string; readonly sample: string } | null;
};

/** Calls by the anchor of the endpoint's heading. */
export type Calls = Readonly<Record<string, Call>>;

/** Endpoints whose bodies are messages of another protocol. */
const OTHER_PROTOCOLS: readonly string[] = ["/mcp"];

const LOGINS: Readonly<Record<string, Omit<CallField, "name" | "place" | "isRequired">>> = {
  agentLogin: {
    label: "Login JWT",
    hint: "Sent as Authorization: Bearer. From POST /register or POST /refresh.",
    prefix: "Bearer ",
  },
  sellerKey: { label: "API key", hint: "Sent as Authorization: Bearer. Begins with tsk_.", prefix: "Bearer " },
  payment: { label: "MPP credential", hint: "Sent as Authorization: Payment.", prefix: "Payment " },
};

/** Logins are optional here, so that readers can see the response without one. */
const loginsOf = ({ security }: Operation): readonly CallField[] =>
  security.flatMap((requirement) =>
    Object.keys(requirement).flatMap((scheme): CallField[] => {
      const login = LOGINS[scheme];
      return login ? [{ name: "Authorization", place: "header", isRequired: false, ...login }] : [];
    }),
  );

const isPlace = (place: string): place is CallField["place"] =>
  place === "path" || place === "query" || place === "header";

function fieldsOf(document: ApiDocument, operation: Operation): readonly CallField[] {
  return parametersOf(document, operation).flatMap(({ name, in: place, required = false, description, schema }) => {
    if (!isPlace(place)) return [];
    const hint = (description ?? schema.description ?? "").replaceAll("`", "");
    return { name, place, label: name, hint, isRequired: required, prefix: "" };
  });
}

function callOf(document: ApiDocument, { method, path, operation }: Listed): Call {
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const media = mediaOf(operation.requestBody?.content);
  const sample = media?.example ?? (media?.schema && sampleOf(media.schema, document.components.schemas));
  const usesSession = operation.security.some(({ ownerSession }) => ownerSession !== undefined);
  return {
    method: method.toUpperCase(),
    path,
    fields: [...fieldsOf(document, operation), ...loginsOf(operation)],
    session: usesSession ? (document.components.securitySchemes.ownerSession?.name ?? null) : null,
    body: type === undefined ? null : { type, sample: JSON.stringify(sample ?? {}, null, 2) },
  };
}

export const callsOf = (
  document: ApiDocument,
  listed: readonly Listed[],
  anchorOf: (endpoint: Listed) => string,
): Calls =>
  Object.fromEntries(
    listed
      .filter(({ path }) => !OTHER_PROTOCOLS.includes(path))
      .map((endpoint) => [anchorOf(endpoint), callOf(document, endpoint)]),
  );

const DEPTH_MAX = 8;

/** A template with the required members of a schema, for bodies whose contract has no example. */
export function sampleOf(schema: Schema, named: Readonly<Record<string, Schema>>, depth = 1): unknown {
  if (depth > DEPTH_MAX) return null;
  const inner = (part: Schema) => sampleOf(part, named, depth + 1);
  if (schema.$ref !== undefined) return inner(named[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const fixed = [schema.const, schema.default, schema.enum?.[0]].find((value) => value !== undefined);
  if (fixed !== undefined) return fixed;
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (schema.properties ?? schema.allOf) {
    const parts = [...(schema.allOf ?? []), ...(branch ? [branch] : [])].map(inner);
    const entries = (schema.required ?? []).map((name) => [name, inner(schema.properties?.[name] ?? {})]);
    return Object.assign(Object.fromEntries(entries), ...parts);
  }
  if (branch) return inner(branch);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  if (type === "array") return schema.items && (schema.minItems ?? 0) > 0 ? [inner(schema.items)] : [];
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 0, 0);
  if (type === "boolean") return false;
  return type === "object" ? {} : "";
}
