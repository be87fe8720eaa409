import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createVault } from "./vault";

const [old, current, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const vault = createVault([current, old]);
const SECRET = `0x${"5a".repeat(32)}`;

describe("an encrypted secret", () => {
  test("is decrypted to its original text, whatever that was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (secret, rowId) => {
        expect(vault.open(vault.seal(secret, rowId), rowId)).toBe(secret);
      }),
    );
  });

  test("reveals nothing about its text, and differs each time", () => {
    const sealed = Array.from({ length: 50 }, () => vault.seal(SECRET, "wal_1"));
    expect(new Set(sealed).size).toBe(50);
    for (const text of sealed) {
      expect(text).not.toContain(SECRET.slice(2));
      expect(text).not.toContain(Buffer.from(SECRET).toString("base64url").slice(0, 40));
      expect(text).not.toContain(current.toString("hex"));
    }
  });

  test("cannot be decrypted in another row", () => {
    const sealed = vault.seal(SECRET, "wal_1");
    for (const rowId of ["wal_2", "", "wal_1 ", "WAL_1", "key:wal_1"])
      expect(() => vault.open(sealed, rowId)).toThrow();
  });

  test("cannot be decrypted once any byte was changed", () => {
    const sealed = vault.seal(SECRET, "wal_1");
    const [version = "", name = "", wrapped = "", body = ""] = sealed.split(".");
    for (const [part, rebuild] of [
      [wrapped, (text: string) => [version, name, text, body].join(".")],
      [body, (text: string) => [version, name, wrapped, text].join(".")],
    ] as const) {
      const bytes = Buffer.from(part, "base64url");
      for (let index = 0; index < bytes.length; index++) {
        const bent = Buffer.from(bytes);
        bent[index] = (bent[index] ?? 0) ^ 1;
        expect(() => vault.open(rebuild(bent.toString("base64url")), "wal_1")).toThrow();
      }
      for (const cut of [0, 1, 11, 12, 27, 28, bytes.length - 1]) {
        expect(() => vault.open(rebuild(bytes.subarray(0, cut).toString("base64url")), "wal_1")).toThrow();
      }
    }
  });

  test("cannot be decrypted with the body or the key of another secret in the same row", () => {
    const [a, b] = [vault.seal("a", "wal_1").split("."), vault.seal("b", "wal_1").split(".")];
    expect(() => vault.open([a[0], a[1], a[2], b[3]].join("."), "wal_1")).toThrow();
    expect(() => vault.open([a[0], a[1], b[2], a[3]].join("."), "wal_1")).toThrow();
  });

  test.each(["", "v1", "v1...", "v2.a.b.c", "....", "v1.0000000000000000.AAAA.AAAA"])(
    "is never read from %j",
    (text) => {
      expect(() => vault.open(text, "wal_1")).toThrow();
    },
  );
});

describe("a master key", () => {
  test("that is not configured decrypts nothing", () => {
    expect(() => createVault([foreign]).open(vault.seal(SECRET, "wal_1"), "wal_1")).toThrow(/no master key/);
  });

  test("that was replaced still decrypts, for as long as it is configured", () => {
    const sealed = createVault([old]).seal(SECRET, "wal_1");
    expect(vault.open(sealed, "wal_1")).toBe(SECRET);
    expect(() => createVault([current]).open(sealed, "wal_1")).toThrow();
  });

  test("is replaced by encrypting all secrets again, after which the old one is no longer needed", () => {
    const sealed = createVault([old]).seal(SECRET, "wal_1");
    const rewrapped = vault.rewrap(sealed, "wal_1");
    expect(createVault([current]).open(rewrapped ?? "", "wal_1")).toBe(SECRET);
    expect(() => createVault([old]).open(rewrapped ?? "", "wal_1")).toThrow();
    expect(vault.rewrap(rewrapped ?? "", "wal_1")).toBeNull();
  });

  test("cannot be changed for a secret of another row", () => {
    expect(() => vault.rewrap(createVault([old]).seal(SECRET, "wal_1"), "wal_2")).toThrow();
  });
});
