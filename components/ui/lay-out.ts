/** JSON with indentation, or null for what is not, or what would not survive it: a long number, a name given twice. */
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
