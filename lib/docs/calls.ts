import { type ApiDocument, type Listed, mediaOf, type Operation, parametersOf } from "./api-document";
import { sampleOf } from "./sample";

/** A value of a request that the reader fills in. */
export type CallField = {
  /** As sent: the name of a parameter or a header. */
  readonly name: string;
  readonly place: "path" | "query" | "header";
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** Put before the value: "Bearer ". */
  readonly prefix: string;
};

/** A request that a reader can send from the reference. */
export type Call = {
  /** In capitals. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly fields: readonly CallField[];
  /** The cookie of an owner's session, for an endpoint that reads it. */
  readonly session: string | null;
  readonly body: { readonly type: string; readonly sample: string } | null;
};

/** Calls by the anchor of their endpoint's heading. */
export type Calls = Readonly<Record<string, Call>>;

/** Their bodies are messages of another protocol. */
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

/** No login is required here, so that readers can see what the endpoint answers without one. */
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
