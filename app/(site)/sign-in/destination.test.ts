import { describe, expect, test } from "vitest";
import { REDIRECT_TRICKS } from "@/dev/redirect-tricks";
import { destination } from "./destination";

const BASES = ["http://localhost:3000", "https://pay.example", "https://pay.example:8443"];

describe("the page to which a sign-in redirects", () => {
  test.each([
    "/",
    "/dashboard",
    "/dashboard/links/lnk_0123456789abcdefABCDEFGH",
    "/dashboard/links?state=active&after=eyJ4Ijox",
    "/authorize/mandate/mand_0123456789abcdefABCDEFGH?token=tok_1",
    "/?a=1&b=2#top",
    "/firewall?next=https://evil.example//x",
    "/receipt/stl_1?key=a%2Fb",
  ])("is the requested page %s", (path) => {
    for (const base of BASES) expect(destination(path, base)).toBe(path);
  });

  test.each([
    undefined,
    "",
    "dashboard",
    "?x",
    "#x",
    ["/dashboard", "//evil.example"],
    "/api",
    "/api/auth/signout",
    "/dashboard//links",
    "/dashboard/",
    "/icon.svg",
    "/.well-known/jwks.json",
  ])("is the dashboard for %j", (next) => {
    for (const base of BASES) expect(destination(next, base)).toBe("/dashboard");
  });

  test("is the same page however often its URL is parsed", () => {
    for (const path of ["/x/../dashboard/./links", "/\tdashboard", "/dash\nboard"]) {
      const read = destination(path, "https://pay.example");
      expect([path, destination(read, "https://pay.example")]).toEqual([path, read]);
    }
  });

  test("is tested with many redirect tricks", () => expect(REDIRECT_TRICKS.length).toBeGreaterThan(200));

  test.each(REDIRECT_TRICKS)("is one of this site's own pages for the trick %j", (trick) => {
    for (const base of BASES) {
      const path = destination(trick, base);
      expect(path).toMatch(/^\/(?:[\w-]+(?:\/[\w-]+)*)?(?:[?#].*)?$/);
      const there = new URL(path, base);
      expect([there.origin, `${there.pathname}${there.search}${there.hash}`]).toEqual([base, path]);
    }
  });
});
