import { UNDECLARED_ERROR } from "@/lib/http/errors";

/** The undeclared errors that the service logged during this test file. */
const found = new Set<string>();

/** Reads one line of a server's log. */
export function readLogLine(line: string): void {
  if (!line.includes(UNDECLARED_ERROR)) return;
  const { msg, ...fields } = JSON.parse(line);
  noteLogged(fields, msg);
}

/** Notes what the service logged, if it is an undeclared error. */
export function noteLogged(fields: unknown, message: unknown): void {
  if (message !== UNDECLARED_ERROR) return;
  const { method, path, code } = fields as Record<string, unknown>;
  found.add(`${method} ${path} threw ${code}`);
}

/** Throws once for what was noted since the last call. */
export function assertAllDeclared(): void {
  const errors = [...found].sort();
  found.clear();
  if (errors.length > 0) throw new Error(`The contracts do not declare these errors:\n${errors.join("\n")}`);
}
