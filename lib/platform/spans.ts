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
  // A part of an object of optional members.
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      SHOWN.has(name) ? [[name, typeof value === "string" ? withoutQuery(value) : value]] : [],
    ),
  ) as A;

/** Names of spans may contain the target of a request. */
export const withoutQuery = (text: string): string => (/^[A-Z]+ \/|^\//.test(text) ? (text.split("?")[0] ?? "") : text);

/** The same span without what it must not show: other attributes, recorded errors, links and the message of its status. */
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
