import { describe, expect, test } from "vitest";
import { REDIRECT_TRICKS } from "@/dev/redirect-tricks";
import { redirectTarget, stateOf, type Unavailable, unavailable } from "./rules";

const NOW = new Date("2026-01-01T00:00:00.000Z");
const BEFORE = new Date(NOW.getTime() - 1);
const AFTER = new Date(NOW.getTime() + 1);
const open = { status: "active" as const, expiresAt: null, maxUses: null };
const unused = { settled: 0, open: 0 };

describe("a payment link can be paid", () => {
  test.each([
    ["without end and limit, however often it was", open, { settled: 1_000_000, open: 1_000_000 }],
    ["until the last moment before it expires", { ...open, expiresAt: AFTER }, unused],
    ["while a use is left", { ...open, maxUses: 3 }, { settled: 1, open: 1 }],
  ])("%s", (_, link, uses) => {
    expect(unavailable(link, uses, NOW)).toBeNull();
    expect(stateOf(link, uses, NOW)).toBe("active");
  });
});

describe("a payment link cannot be paid", () => {
  test.each<[string, Parameters<typeof unavailable>[0], Parameters<typeof unavailable>[1], Unavailable]>([
    ["disabled", { ...open, status: "disabled" }, unused, "LINK_DISABLED"],
    ["expired", { ...open, expiresAt: BEFORE }, unused, "LINK_EXPIRED"],
    ["expired this moment", { ...open, expiresAt: NOW }, unused, "LINK_EXPIRED"],
    ["used up", { ...open, maxUses: 2 }, { settled: 2, open: 0 }, "LINK_SOLD_OUT"],
    ["used up by pending payments", { ...open, maxUses: 2 }, { settled: 0, open: 2 }, "LINK_SOLD_OUT"],
    ["used up by both together", { ...open, maxUses: 2 }, { settled: 1, open: 1 }, "LINK_SOLD_OUT"],
    ["used more often than it may", { ...open, maxUses: 2 }, { settled: 3, open: 0 }, "LINK_SOLD_OUT"],
    [
      "all of these: disabled takes precedence",
      { status: "disabled", expiresAt: BEFORE, maxUses: 1 },
      { settled: 1, open: 0 },
      "LINK_DISABLED",
    ],
    [
      "expired and used up: no use will come free again",
      { ...open, expiresAt: BEFORE, maxUses: 1 },
      { settled: 1, open: 0 },
      "LINK_EXPIRED",
    ],
  ])("when it is %s", (_, link, uses, why) => {
    expect(unavailable(link, uses, NOW)).toBe(why);
    expect(`LINK_${stateOf(link, uses, NOW).toUpperCase()}`).toBe(why);
  });
});

const ALLOWED = [
  "https://good.example",
  "https://shop.example:8443",
  "http://localhost:3000",
  "http://127.0.0.1:8080",
  "http://[::1]:8080",
  "http://insecure.example",
  "https://xn--bcher-kva.example",
];
const OWN = "https://pay.example";
const target = (text: string) => redirectTarget(text, { allowed: ALLOWED, own: OWN });

describe("a redirect URL on an allowed origin", () => {
  test.each([
    ["https://good.example", "https://good.example/"],
    ["https://good.example/", "https://good.example/"],
    ["https://good.example/thanks?order=1&x=%20#top", "https://good.example/thanks?order=1&x=%20#top"],
    ["HTTPS://GOOD.EXAMPLE/Thanks", "https://good.example/Thanks"],
    ["https://good.example:443/a", "https://good.example/a"],
    ["https://shop.example:8443/a", "https://shop.example:8443/a"],
    ["https://good.example/a/../b", "https://good.example/b"],
    ["https://good.example//evil.example", "https://good.example//evil.example"],
    ["https://good.example/?next=https://evil.example", "https://good.example/?next=https://evil.example"],
    ["https://good.example/?mail=a@b.example", "https://good.example/?mail=a@b.example"],
    ["https://good.example?mail=a@evil.example", "https://good.example/?mail=a@evil.example"],
    ["https://good.example/@shop/thanks#a@b", "https://good.example/@shop/thanks#a@b"],
    ["https://good.example/#https://evil.example", "https://good.example/#https://evil.example"],
    ["http://localhost:3000/a", "http://localhost:3000/a"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/"],
    ["http://[::1]:8080/", "http://[::1]:8080/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://xn--bcher-kva.example/ü", "https://xn--bcher-kva.example/%C3%BC"],
    // A browser reads these as the allowed host itself, and the stored URL is normalised.
    ["https://good。example/", "https://good.example/"],
    ["https://ｇｏｏｄ.example/", "https://good.example/"],
    ["https:///good.example/", "https://good.example/"],
  ])("is normalised from %s to %s", (text, kept) => {
    expect(target(text)).toBe(kept);
    expect(target(kept)).toBe(kept);
  });
});

describe("a redirect URL is refused", () => {
  test.each([
    ["nothing", ""],
    ["a path", "/thanks"],
    ["no scheme", "good.example/thanks"],
    ["no scheme, two slashes", "//good.example"],
    ["no scheme, two slashes, elsewhere", "//evil.example"],
    ["one slash", "https:/good.example"],
    ["no slash", "https:good.example"],
    ["another host", "https://evil.example/"],
    ["another host with three slashes", "https:///evil.example/"],
    ["the allowed host as user name", "https://good.example@evil.example/"],
    ["the allowed host as user name and password", "https://good.example:443@evil.example/"],
    ["an escaped at sign in a host", "https://good.example%40evil.example/"],
    ["credentials at the allowed host", "https://user:secret@good.example/"],
    ["an empty user at the allowed host", "https://@good.example/"],
    ["the allowed host as a subdomain", "https://good.example.evil.example/"],
    ["a subdomain of the allowed host", "https://www.good.example/"],
    ["the allowed host as an ending", "https://evilgood.example/"],
    ["the allowed host in the query", "https://evil.example/?https://good.example/"],
    ["the allowed host in the fragment", "https://evil.example#good.example"],
    ["a trailing dot", "https://good.example./"],
    ["a trailing dot in Unicode", "https://good.example。/"],
    ["backslashes", "https:\\\\evil.example"],
    ["a slash and a backslash", "https:/\\evil.example"],
    ["a backslash before an at sign", "https://good.example\\@evil.example"],
    ["a backslash after another host", "https://evil.example\\.good.example"],
    ["a backslash in the path", "https://good.example/\\evil.example"],
    ["javascript", "javascript:alert(1)"],
    ["javascript that names the host", "javascript://good.example/%0aalert(1)"],
    ["javascript in capitals", "JavaScript:alert(1)"],
    ["data", "data:text/html,<script>alert(1)</script>"],
    ["blob of the allowed origin", "blob:https://good.example/550e8400-e29b-41d4-a716-446655440000"],
    ["file", "file:///etc/passwd"],
    ["ftp", "ftp://good.example/"],
    ["a scheme of its own", "httpsx://good.example/"],
    ["a space in front", " https://good.example/"],
    ["a space behind", "https://good.example/ "],
    ["a line end in front", "\nhttps://good.example/"],
    ["a line end behind", "https://good.example/\n"],
    ["a tab inside the scheme", "java\tscript:alert(1)"],
    ["a tab inside the host", "https://good.exam\tple/"],
    ["a line end inside the host", "https://good.example\n.evil.example/"],
    ["a carriage return in the path", "https://good.example/\r\nLocation: https://evil.example"],
    ["a no-break space", "https://good.example\u00a0.evil.example/"],
    ["NUL in the host", "https://good.example\u0000.evil.example/"],
    ["a control character in front", "\u0001https://good.example/"],
    ["another port", "https://good.example:444/"],
    ["the port of an allowed host left out", "https://shop.example/"],
    ["a port out of range", "https://good.example:99999/"],
    ["http where https is allowed", "http://good.example/"],
    ["http elsewhere, even if its origin is allowed", "http://insecure.example/"],
    ["https where http on this machine is allowed", "https://localhost:3000/"],
    ["another port of this machine", "http://localhost:3001/"],
    ["another name of this machine", "http://127.0.0.2:8080/"],
    ["a name that begins like this machine", "http://localhost:3000.evil.example/"],
    ["a look-alike in another script", "https://gооd.example/"],
    ["another name in punycode", "https://xn--gd-8bab.example/"],
    ["only a scheme", "https://"],
    ["a percent sign in the host", "https://good%2eexample%2f@evil.example/"],
  ])("if it is %s", (_, text) => {
    expect(target(text)).toBeNull();
  });

  test("if no origin is allowed", () => {
    const targetWith = (text: string, allowed: string[]) => redirectTarget(text, { allowed, own: OWN });
    expect(targetWith("https://good.example/", [])).toBeNull();
    expect(targetWith("null", ["null"])).toBeNull();
    expect(targetWith("data:,x", ["null"])).toBeNull();
  });
});

describe("a redirect URL on the service's own origin", () => {
  test.each(["/", "/pay/lnk_1", "/receipt/stl_1", "/?from=shop", "/pay/lnk_1?ref=a#b", "/x/../pay/lnk_1"])(
    "may have the path %s",
    (path) => expect(target(`${OWN}${path}`)).toBe(new URL(path, OWN).href),
  );

  test.each([
    ...[
      "/sign-in?callbackUrl=/x/..//evil.example",
      "/sign-in",
      "/dashboard",
      "/api/auth/signin?callbackUrl=//evil.example",
    ],
    ...[
      "/api/auth/signout",
      "/healthz",
      "/authorize/mandate/mand_1?token=x",
      "/pay",
      "/pay/",
      "/pay/lnk_1/",
      "/pay/a/b",
    ],
    ...["//evil.example", "/pay//evil.example", "/pay/..//evil.example", "/receipt/%2e%2e//evil.example", "/pay/%2f"],
    ...["/PAY/lnk_1", "/pay/lnk_1/../../sign-in", "/pay/lnk.1", "/%70ay/lnk_1", "/receipt/stl_1%00"],
  ])("may not have the path %s, although the operator allows the origin", (path) => {
    expect(redirectTarget(`${OWN}${path}`, { allowed: [OWN], own: OWN })).toBeNull();
  });
});

test("no known trick redirects to another site, alone or appended to the service's own URL", () => {
  for (const trick of REDIRECT_TRICKS) {
    for (const text of [trick, `${OWN}${trick}`, `${OWN}/sign-in?callbackUrl=${trick}`]) {
      const to = target(text);
      if (to !== null) expect([text, new URL(to).origin, new URL(to).pathname]).toEqual([text, OWN, "/"]);
    }
  }
});
