import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvFile } from "./env-file.mjs";

test("a value of .env is what is between its quotes, the environment wins, and all of it can be taken out", () => {
  const directory = mkdtempSync(join(tmpdir(), "tessera-env-"));
  const file = join(directory, ".env");
  writeFileSync(file, "ENV_FILE_PASSWORD='pa$word & more'\nENV_FILE_KNOWN=from the file\nENV_FILE_BARE=a$b\n");
  process.env.ENV_FILE_KNOWN = "known before";
  const undo = readEnvFile(file);
  const { ENV_FILE_PASSWORD, ENV_FILE_KNOWN, ENV_FILE_BARE } = process.env;
  undo();
  expect([ENV_FILE_PASSWORD, ENV_FILE_KNOWN, ENV_FILE_BARE]).toEqual(["pa$word & more", "known before", "a$b"]);
  expect([process.env.ENV_FILE_PASSWORD, process.env.ENV_FILE_KNOWN]).toEqual([undefined, "known before"]);
  delete process.env.ENV_FILE_KNOWN;
  rmSync(directory, { recursive: true });
});

test("a service without .env has the environment as it is", () => {
  const before = { ...process.env };
  const undo = readEnvFile("/nowhere/.env");
  undo();
  expect(process.env).toEqual(before);
});
