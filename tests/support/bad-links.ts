/** Invalid fields of a payment link, rejected on creation and update, for agents and owners. */

/** The origin to which the tests' configuration allows redirects. */
export const SHOP = "https://shop.example";

export const BAD_AMOUNTS: readonly unknown[] = [
  ...["0", "-1", "+1", "1.5", "01", "1e6", "0x1", "", " 1", "1 ", "１", "NaN", (2n ** 256n).toString()],
  ...["9".repeat(10_000), 1_000_000, 0, null, true, ["1"], { amount: "1" }],
];

export const BAD_NEW_LINKS: readonly (readonly [field: string, bad: unknown])[] = [
  ...["ethereum", "BASE", "", "eip155:1", 8453, null].map((bad) => ["network", bad] as const),
  ...["usdc", "EUR", "", null, 1].map((bad) => ["currency", bad] as const),
  ...[0, -1, 1.5, "1", "", true, [1], 2 ** 31, 2 ** 53].map((bad) => ["maxUses", bad] as const),
  ...[
    ...["", "tomorrow", "2090-01-01", "2090-01-01T00:00:00", "2090-02-30T00:00:00Z", "2090-01-01T00:00:00+25:00"],
    ...["2090-01-01 00:00:00Z", "+012090-01-01T00:00:00Z", 3_786_912_000, true, {}],
  ].map((bad) => ["expiresAt", bad] as const),
  ...[null, 1, ["x"], { toString: "x" }].map((bad) => ["description", bad] as const),
  ...["", " ", "a\nb", "a\tb", "\u0000", "\u0085", "\u202e7", "\ud800", "x".repeat(201), 1, false, ["x"], {}].map(
    (bad) => ["reference", bad] as const,
  ),
  ...[1, false, { a: 1 }, ["x"]].map((bad) => ["resourceContent", bad] as const),
  ...[1, true, ["x"], `${SHOP}/${"x".repeat(2000)}`].map((bad) => ["redirectUrl", bad] as const),
];

export const BAD_EDITS: readonly (readonly [field: string, bad: unknown])[] = [
  ...["amount", "network", "currency", "reference"].flatMap((name) => [[name, "x"] as const, [name, null] as const]),
  ["amount", "1000000"],
  ["network", "base"],
  ["currency", "USDC"],
  ...["", "ACTIVE", "expired", "deleted", null, true].map((bad) => ["status", bad] as const),
  ...[0, -1, 1.5, "2", true, 2 ** 31].map((bad) => ["maxUses", bad] as const),
  ...["", "2090-01-01T00:00:00", 1].map((bad) => ["expiresAt", bad] as const),
  ...[null, 1, "\u0000", "\ud800", "x".repeat(1001)].map((bad) => ["description", bad] as const),
  ...[1, "\u0000", "\ud800", "x".repeat(32_769)].map((bad) => ["resourceContent", bad] as const),
  ["redirectUrl", 1],
];

export const BAD_REDIRECTS: readonly string[] = [
  "",
  "/thanks",
  "//evil.example",
  "//shop.example",
  "https://evil.example/",
  "https://shop.example@evil.example",
  "https://shop.example.evil.example",
  "https:\\\\shop.example",
  "https:/\\evil.example",
  "https://shop.example./",
  "https://shop.example:444/",
  "http://shop.example/",
  "http://plain.example/",
  "http://localhost:4001/",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://shop.example/\n",
  "\thttps://shop.example/",
];
