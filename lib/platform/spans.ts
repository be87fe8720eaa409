/** Attributes of spans that leave the service. Everything else could hold a query, a token or a key, and is left out. */
const SHOWN = new Set([
  "http.method",
  "http.route",
  "http.status_code",
  "next.route",
  "next.span_name",
  "next.span_type",
  "db.system.name",
  "db.query.text",
  "db.response.status_code",
]);

type Attributes = Record<string, unknown>;

export const shownAttributes = <A extends Attributes>(attributes: A): A =>
  // The result is a subset, and all members of `attributes` are optional.
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      SHOWN.has(name) ? [[name, typeof value === "string" ? withoutQuery(value) : value]] : [],
    ),
  ) as A;

/** The name of a span may contain a request's path and query. */
export const withoutQuery = (text: string): string => (/^[A-Z]+ \/|^\//.test(text) ? (text.split("?")[0] ?? "") : text);

/** The span without data that must not leave the service: other attributes, recorded errors, links and the status message. */
export function shownSpan<S extends { name: string; attributes: Attributes; status: { code: number } }>(span: S): S {
  const overrides = {
    name: withoutQuery(span.name),
    attributes: shownAttributes(span.attributes),
    events: [],
    links: [],
    status: { code: span.status.code },
  };
  return Object.create(
    span,
    Object.fromEntries(Object.entries(overrides).map(([name, value]) => [name, { value, enumerable: true }])),
  );
}
