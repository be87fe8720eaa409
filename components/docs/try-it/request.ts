import type { Call, CallField } from "@/lib/docs/calls";

/** What the reader typed into each field; the key is `keyOf(field)`. */
export type Values = Readonly<Record<string, string>>;

export type BuiltRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
};

/** A request, or an error message for each invalid field; the key is `keyOf(field)`. */
export type Built =
  | { readonly type: "valid"; readonly request: BuiltRequest }
  | { readonly type: "invalid"; readonly faults: Readonly<Record<string, string>> };

/** Includes the label: two kinds of login are both sent as the Authorization header. */
export const keyOf = ({ place, name, label }: CallField): string => `${place}:${name}:${label}`;

/** Builds the request to `origin`. Fields that are left empty are not sent. */
export function buildRequest(origin: string, call: Call, values: Values, body: string): Built {
  const filled = call.fields.flatMap((field) => {
    const value = (values[keyOf(field)] ?? "").trim();
    return value === "" ? [] : [{ field, value }];
  });
  const faults = faultsOf(call, filled);
  if (Object.keys(faults).length > 0) return { type: "invalid", faults };
  const selectByPlace = (place: CallField["place"]) => filled.filter(({ field }) => field.place === place);
  const path = selectByPlace("path").reduce(
    (partialPath, { field, value }) => partialPath.replace(`{${field.name}}`, () => encodeURIComponent(value)),
    call.path,
  );
  const query = new URLSearchParams(selectByPlace("query").map(({ field, value }) => [field.name, value])).toString();
  const headers = selectByPlace("header").map(({ field, value }) => [field.name, withPrefix(field, value)] as const);
  const content = call.body && body.trim() !== "" ? call.body : null;
  return {
    type: "valid",
    request: {
      method: call.method,
      url: `${origin}${path}${query === "" ? "" : `?${query}`}`,
      headers: content ? [["Content-Type", content.type], ...headers] : headers,
      body: content && body,
    },
  };
}

type Filled = readonly { readonly field: CallField; readonly value: string }[];

function faultsOf({ fields }: Call, filled: Filled): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const field of fields) {
    const filledField = filled.find((entry) => entry.field === field);
    const fault = filledField ? faultIn(field, filledField.value) : field.isRequired && `Enter ${field.name}.`;
    if (fault) faults[keyOf(field)] = fault;
  }
  const names = filled.filter(({ field }) => field.place === "header").map(({ field }) => field.name);
  for (const { field } of filled) {
    if (names.filter((name) => name === field.name).length > 1) {
      faults[keyOf(field)] = `Fill in only one of the fields that are sent as ${field.name}.`;
    }
  }
  return faults;
}

function faultIn({ place, name }: CallField, value: string): string | false {
  // Browsers resolve these path segments even if percent-encoded, and would request another path.
  if (place === "path" && (value === "." || value === "..")) return `${name} cannot be “${value}”.`;
  if (!value.isWellFormed()) return `${name} contains half a character.`;
  return place === "header" && !/^[\t\x20-\x7e]*$/.test(value) && `${name} can contain only ASCII characters.`;
}

/** Adds the scheme to a token, unless the pasted text already has it. */
const withPrefix = ({ prefix }: CallField, value: string): string =>
  value.toLowerCase().startsWith(prefix.toLowerCase()) ? value : `${prefix}${value}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The request as a curl command. Pages cannot read the session cookie (HttpOnly), so the reader sets SESSION. `--data-raw` keeps a body
 * that begins with @ from being read as a file name.
 */
export function curlOf({ method, url, headers, body }: BuiltRequest, session: string | null): string {
  const parts = [
    `curl -i -X ${method} ${quoted(url)}`,
    ...(session === null
      ? []
      : [
          `-b "${session}=$SESSION"`, // With a session, the service accepts changes only from its own origin.
          ...(method === "GET" ? [] : [`-H ${quoted(`Origin: ${new URL(url).origin}`)}`]),
        ]),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(" \\\n  ");
}
