import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { now } from "@/lib/platform/clock";
import { readConfig } from "@/lib/platform/config";
import type { System } from "@/lib/platform/context";
import { createLog } from "@/lib/platform/log";
import { assertPayable, type Paying, reload, reportUnderWay } from "./service";

const DENIED = toAddress("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const OTHER = toAddress("0x8589427373d6d84e98730d7795d8f6f8731fda16");
const dir = mkdtempSync(join(tmpdir(), "tessera-lists-"));
const file = join(dir, "list.txt");
let warnings: unknown[] = [];
let lines: { msg: string; digest?: string; keptDigest?: string | null }[] = [];

afterAll(() => rmSync(dir, { recursive: true, force: true }));
beforeEach(() => {
  warnings = [];
  lines = [];
  writeFileSync(file, DENIED);
});

/** Only what screening uses of a system. */
function systemOf(source: string): System {
  const config = readConfig({ DATA_DIR: dir, SCREENING_LISTS: `ours=${source}` });
  const log = createLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) }, (message) =>
    warnings.push(message),
  );
  return { config, log, now } as System;
}
/** A payment to addresses before its owner is known. */
const to = (...payees: Paying["payees"]): Paying => ({ payees, site: null, wallet: null });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: unknown }) => error.code,
  );

test.each([
  ["an empty file", ""],
  ["a wrong checksum", "0x70997970C51812dc3A010C7d01b50e0d17dc79c8"],
  ["an error page", "<html>502 Bad Gateway</html>"],
])("with %s the last good list stays, and an alarm is raised", async (_name, text) => {
  const system = systemOf(file);
  expect(await codeOf(assertPayable(system, to(OTHER, DENIED)))).toBe("payee_denied");
  const digest = lines.find(({ msg }) => msg === "screening.loaded")?.digest;
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  writeFileSync(file, text);
  await reload(system);
  expect(warnings).toEqual(["screening.list_broken"]);
  expect(lines.at(-1)).toMatchObject({ msg: "screening.list_broken", keptDigest: digest });
  expect(await codeOf(assertPayable(system, to(DENIED)))).toBe("payee_denied");
  expect(await codeOf(assertPayable(system, to(OTHER)))).toBeNull();
  writeFileSync(file, OTHER);
  await reload(system);
  expect(await codeOf(assertPayable(system, to(OTHER)))).toBe("payee_denied");
  expect(await codeOf(assertPayable(system, to(DENIED)))).toBeNull();
});

test("a list that was never read lets nothing be signed, and is not read for each request", async () => {
  const system = systemOf(join(dir, "missing.txt"));
  for (let request = 0; request < 5; request += 1)
    expect(await codeOf(assertPayable(system, to(OTHER)))).toBe("unavailable");
  expect(warnings).toEqual(["screening.list_broken"]);
});

test("a list is read from a URL, which is told nothing", async () => {
  const urls: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    urls.push(`${req.method} ${req.url}`);
    res.end(DENIED);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const system = systemOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/list`);
  expect(await codeOf(assertPayable(system, to(DENIED)))).toBe("payee_denied");
  await new Promise((resolve) => server.close(resolve));
  await reload(system);
  expect(await codeOf(assertPayable(system, to(DENIED)))).toBe("payee_denied");
  expect(urls).toEqual(["GET /list"]);
});

test("a payment that goes on although its payer or payee was listed since is in the log", async () => {
  const system = systemOf(file);
  await reload(system);
  reportUnderWay(system, { id: "set_1", payer: OTHER, payee: OTHER });
  expect(warnings).toEqual([]);
  reportUnderWay(system, { id: "set_2", payer: DENIED, payee: OTHER });
  expect(lines.at(-1)).toMatchObject({ settlementId: "set_2", list: "ours", msg: "screening.denied_under_way" });
});
