import { isFullyVisible, isVisible } from "@/lib/core/shown";
import { FILE_NAME_MAX } from "./limits";

/** A file as stored with links and sales. */
export type LinkFile = { fileId: `fil_${string}`; name: string; bytes: number; sha256: string };

/**
 * Whether a name is valid on every system: one visible line, no path separators or reserved characters, no dot or space at either
 * end.
 */
export const isFileName = (name: string): boolean =>
  [...name].length <= FILE_NAME_MAX &&
  name.isWellFormed() &&
  isFullyVisible(name, false) &&
  isVisible(name) &&
  !/[/\\:*?"<>|]|^[.\s]|[.\s]$/u.test(name);

/** The header that makes a browser save a file under its name (RFC 6266, with the encoding of RFC 8187 for other scripts). */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, "_").replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
