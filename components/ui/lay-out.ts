/** Indented JSON. Null for other text, and for JSON that parsing would change: long numbers, duplicate names. */
export function layOut(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    const bare = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
    return JSON.stringify(value) === bare ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}
