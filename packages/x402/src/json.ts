/** A JSON object of somebody else. */
export type Fields = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none of any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** The value if it is a text. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
