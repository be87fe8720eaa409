import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS, type LimitName } from "@/lib/core/limits";
import { endpoints, named } from "../support/endpoints";

const GUIDE = readFileSync("docs/operations.md", "utf8");
/** The rows of the table in docs/operations.md: routes, limits in order, and their defaults. */
const rows = GUIDE.slice(GUIDE.indexOf("## Rate limits"), GUIDE.indexOf("## The settler contract"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| Route/.test(line))
  .map((line) => {
    const [routes = "", , limits = "", defaults = ""] = line.split("|").slice(1);
    const names = [...limits.matchAll(/`([a-z_]+)`/g)].flatMap(([, name]) => (name ? [name] : []));
    return { routes, names, defaults: defaults.trim() };
  });

const SECONDS: Record<string, number> = {
  "a minute": 60,
  "in 10 seconds": 10,
  "in 10 minutes": 600,
  "an hour": 3600,
  "a day": 86_400,
};

/** "120; 30 a minute; 10 an hour": a value without a unit has the unit of the next one. */
function readDefaults(text: string): { requests: number; seconds: number | undefined }[] {
  let seconds: number | undefined;
  const read = text
    .split(";")
    .reverse()
    .map((part) => {
      const [number = "", unit] = /^([\d,]+)(?: (.+))?$/.exec(part.trim())?.slice(1) ?? [];
      if (unit !== undefined) seconds = SECONDS[unit];
      return { requests: Number(number.replaceAll(",", "")), seconds };
    });
  return read.reverse();
}

test("docs/operations.md lists every limit with its default", () => {
  const listed = new Map<string, unknown>();
  for (const { names, defaults } of rows.filter(({ names }) => names.length > 0)) {
    const values = readDefaults(defaults);
    expect(values, names.join()).toHaveLength(names.length);
    for (const [index, name] of names.entries()) {
      if (listed.has(name)) expect([name, values[index]]).toEqual([name, listed.get(name)]);
      listed.set(name, values[index]);
    }
  }
  expect(Object.fromEntries(listed)).toEqual(DEFAULT_LIMITS);
});

const limited: [string, LimitName, string][] = endpoints.flatMap((e) =>
  e.limitPerAddress ? [[named(e), e.limitPerAddress, e.path]] : [],
);

test.each(limited)("docs/operations.md has %s in the row of %s", (_, limit, path) => {
  // Paths with a common prefix are named by their suffixes.
  const names = (routes: string) =>
    routes.includes(`\`${path}\``) ||
    [...routes.matchAll(/its ((?:`[^`]+`(?: and )?)+)/g)].some(([, ends = ""]) =>
      [...ends.matchAll(/`([^`]+)`/g)].some(([, end = ""]) => path.endsWith(end)),
    );
  expect(rows.filter(({ names }) => names.includes(limit)).some(({ routes }) => names(routes))).toBe(true);
});
