/** A JSON object of unknown content. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether both are the same text but for letter case. */
export const isSameText = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && a.toLowerCase() === b.toLowerCase();

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
