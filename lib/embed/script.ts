import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Versions of the checkout button. A published version never changes: pages pin it by its integrity hash, and browsers reject other
 * bytes. A change is a new version in a new file; old files stay.
 */
const VERSIONS = [1] as const;
const LATEST = VERSIONS[VERSIONS.length - 1] ?? 1;

const YEAR_SECONDS = 31_536_000;
const LATEST_SECONDS = 300;

/** `path` is for pages that pin the hash; it is cached forever. */
export type ButtonScript = { path: `/${string}`; text: string; integrity: string };

const scripts = new Map<number, ButtonScript>();

/** Without a version, the newest one, for snippets. */
export function buttonScript(version: number = LATEST): ButtonScript {
  const cachedScript = scripts.get(version);
  if (cachedScript) return cachedScript;
  // The server runs in the project root.
  const text = readFileSync(join(process.cwd(), "lib", "embed", `button-${version}.js`), "utf8");
  const integrity = `sha384-${createHash("sha384").update(text).digest("base64")}`;
  const script: ButtonScript = { path: `/embed/button-${version}.js`, text, integrity };
  scripts.set(version, script);
  return script;
}

/** `button-1.js` names a version, `button.js` the newest one. Null for any other name. */
export function scriptResponse(file: string): Response | null {
  const version = VERSIONS.find((candidate) => file === `button-${candidate}.js`);
  if (version === undefined && file !== "button.js") return null;
  const caching = version === undefined ? `max-age=${LATEST_SECONDS}` : `max-age=${YEAR_SECONDS}, immutable`;
  return new Response(buttonScript(version).text, {
    headers: {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": `public, ${caching}`,
      // Without CORS a browser cannot check the integrity hash.
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
