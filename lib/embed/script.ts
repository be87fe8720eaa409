import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The versions of the checkout button. A published version never changes: pages name it with the hash of its bytes, and browsers
 * refuse other bytes. A change is a new version with a file of its own, and the old files stay.
 */
const VERSIONS = [1] as const;
const LATEST = VERSIONS[VERSIONS.length - 1] ?? 1;

const YEAR_SECONDS = 31_536_000;
const LATEST_SECONDS = 300;

/** `path` is for pages that name the hash, and is cached for ever. */
export type ButtonScript = { path: `/${string}`; text: string; integrity: string };

const scripts = new Map<number, ButtonScript>();

function scriptOf(version: number): ButtonScript {
  const cachedScript = scripts.get(version);
  if (cachedScript) return cachedScript;
  // The server runs in the project's root.
  const text = readFileSync(join(process.cwd(), "lib", "embed", `button-${version}.js`), "utf8");
  const integrity = `sha384-${createHash("sha384").update(text).digest("base64")}`;
  const script: ButtonScript = { path: `/embed/button-${version}.js`, text, integrity };
  scripts.set(version, script);
  return script;
}

/** The newest version, for snippets. */
export const buttonScript = (): ButtonScript => scriptOf(LATEST);

/** `button-1.js` is a version, `button.js` the newest one; null for any other name. */
export function scriptResponse(file: string): Response | null {
  const version = VERSIONS.find((candidate) => file === `button-${candidate}.js`);
  if (version === undefined && file !== "button.js") return null;
  const caching = version === undefined ? `max-age=${LATEST_SECONDS}` : `max-age=${YEAR_SECONDS}, immutable`;
  return new Response(scriptOf(version ?? LATEST).text, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": `public, ${caching}`,
      // A browser can compare the hash only of what it may read.
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
