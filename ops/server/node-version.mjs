// Node versions that the service runs on. `engines` in package.json names the releases with all required fixes.
import { readFileSync } from "node:fs";

/** @type {{ engines: { node: string } }} */
const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

export const NODE_VERSIONS = engines.node;

/**
 * Why `version` cannot be used, or null.
 *
 * @param {string} version such as v24.14.1
 */
export const nodeFault = (version, range = NODE_VERSIONS) =>
  isInRange(version, range)
    ? null
    : `Node ${version} lacks security fixes that the service needs. Use a release in ${range}, best the newest one of Node 24`;

/**
 * Whether `version` is in `range`: alternatives separated by ||, each a list of >=a.b.c and <a. Throws for any other form.
 *
 * @param {string} version
 * @param {string} range
 */
function isInRange(version, range) {
  const versionNumbers = numbersOf(version.replace(/^v/, ""));
  return range.split("||").some((alternative) =>
    alternative
      .trim()
      .split(/\s+/)
      .every((bound) => {
        const [, sign, limit] = /^(>=|<)(\d+(?:\.\d+){0,2})$/.exec(bound) ?? [];
        if (!sign || !limit) throw new Error(`engines.node: ${bound} is not understood`);
        const difference = compare(versionNumbers, numbersOf(limit));
        return sign === "<" ? difference < 0 : difference >= 0;
      }),
  );
}

/** @param {string} text */
const numbersOf = (text) => text.split(".").map((part) => Number.parseInt(part, 10));

/** @param {number[]} a @param {number[]} b */
function compare(a, b) {
  for (const index of [0, 1, 2]) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
