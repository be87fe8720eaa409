import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What an operator may find in the log: `noun.what_happened`. */
const EVENT = /"([a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*)"/g;
const LOGGING =
  /\blog(?:ger)?\s*\.(?:info|warn|error)\(|\blog\[level\]\(|logFailure\(|\bUNDECLARED_ERROR = |const event = outbox/;
const NO_EVENTS = /\.test\.|\/console\.|^ops\/(?:deploy-contracts|doctor)\.ts$/;

function eventsInCode(): string[] {
  const files = ["lib", "ops"]
    .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => `${root}/${file}`))
    .filter((file) => /\.(?:ts|mjs)$/.test(file) && !NO_EVENTS.test(file));
  const events = files.flatMap((file) =>
    readFileSync(file, "utf8")
      // A call can have several lines.
      .split(";\n")
      .filter((statement) => LOGGING.test(statement))
      .flatMap((statement) =>
        [...statement.slice(statement.search(LOGGING)).matchAll(EVENT)].map(([, event = ""]) => event),
      ),
  );
  return [...new Set(events)].sort();
}

function eventsInGuide(): string[] {
  const guide = readFileSync("docs/operations.md", "utf8");
  const section = guide.slice(
    guide.indexOf("## Log events"),
    guide.indexOf("\n## ", guide.indexOf("## Log events") + 1),
  );
  return [...section.matchAll(/^\| `([a-z._]+)`/gm)].map(([, event = ""]) => event).sort();
}

test("docs/operations.md says for exactly the existing log events what an operator does", () => {
  const events = eventsInGuide();
  expect(new Set(events).size).toBe(events.length);
  expect(events).toEqual(eventsInCode());
  expect(events.length).toBeGreaterThan(40);
});
