/** An untrusted JSON object: each member must be checked before use. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a JSON object or array as `Fields`, and an empty object for any other value. Never throws.
 *
 * @example
 * const { accepts } = fieldsOf(await response.json());
 * fieldsOf(null); // {}
 */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/**
 * Returns a string unchanged, and undefined for any other value.
 *
 * @example
 * const description = textOf(fieldsOf(body).description) ?? "";
 * textOf(1); // undefined
 */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * Returns the JSON object in a text, and an empty object if the text is anything else. Never throws.
 *
 * @example
 * const { error } = fieldsIn(await response.text());
 * fieldsIn("<html>"); // {}
 */
export function fieldsIn(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
