import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostMatches, hostOfResource, normalizeHost, readableUrl } from "./host";
import { hostText } from "./host-text";

describe("a host on an allow-list", () => {
  test.each([
    ["example.com", "example.com"],
    ["EXAMPLE.Com", "example.com"],
    ["example.com.", "example.com"],
    ["example.com:8080", "example.com:8080"],
    ["example.com:080", "example.com:80"],
    ["example.com:80", "example.com:80"],
    ["example.com:443", "example.com:443"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["MÜNCHEN.de", "xn--mnchen-3ya.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["ｅｘａｍｐｌｅ。com", "example.com"],
    ["exa\u00admple.com", "example.com"],
    ["localhost:3000", "localhost:3000"],
    ["127.0.0.1", "127.0.0.1"],
    ["127.1", "127.0.0.1"],
    ["0x7f.1", "127.0.0.1"],
    ["2130706433", "127.0.0.1"],
    ["１２７.0.0.1", "127.0.0.1"],
    ["[::1]", "[::1]"],
    ["[0:0:0:0:0:0:0:1]:8080", "[::1]:8080"],
    ["[::FFFF:127.0.0.1]", "[::ffff:7f00:1]"],
  ])("is normalised from %j to %j", (text, host) => {
    expect(normalizeHost(text)).toBe(host);
    expect(hostText.parse(text)).toBe(host);
  });

  test.each([
    "",
    ".",
    "..",
    ".example.com",
    "example..com",
    "example.com..",
    "*.example.com",
    "*",
    "https://example.com",
    "//example.com",
    "example.com/",
    "example.com/path",
    "example.com\\path",
    "example.com?x",
    "example.com#x",
    "user@example.com",
    "user:pass@example.com",
    "example.com:99999",
    "example.com:port",
    "example.com:-1",
    "example.com:80:80",
    "exam ple.com",
    " example.com",
    "example.com\n",
    "example.com\t",
    "exa\u0000mple.com",
    "example%2ecom",
    "::1",
    "[::1",
    "[fe80::1%25eth0]",
    "256.256.256.256",
    "<script>",
    "xn--a",
    `${"a".repeat(256)}`,
  ])("cannot be %j", (text) => {
    expect(normalizeHost(text)).toBeNull();
    expect(hostText.safeParse(text).success).toBe(false);
  });

  test("cannot be anything but text", () => {
    for (const value of [1, null, undefined, {}, ["a"]]) expect(hostText.safeParse(value).success).toBe(false);
  });

  test("does not change when it is normalised again", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hosts,
          fc.string(),
          fc.webUrl().map((url) => new URL(url).host),
        ),
        (text) => {
          const host = normalizeHost(text);
          if (host !== null) expect(normalizeHost(host)).toBe(host);
        },
      ),
    );
  });
});

describe("the host of a resource", () => {
  test.each([
    ["https://example.com/a?b#c", "example.com"],
    ["HTTPS://Example.COM:443/", "example.com"],
    ["http://example.com:80/", "example.com"],
    ["https://example.com:80/", "example.com:80"],
    ["http://example.com:443/", "example.com:443"],
    ["http://localhost:3000/x", "localhost:3000"],
    ["https://example.com./", "example.com"],
    ["https://münchen.de/", "xn--mnchen-3ya.de"],
    ["https://0x7f.1/", "127.0.0.1"],
    ["https://good.com\\@evil.com/", "good.com"],
    ["https://good.com\t.evil.com/", "good.com.evil.com"],
  ])("of %j is the one that a browser would open: %j", (resource, host) => {
    expect(hostOfResource(resource)).toBe(host);
  });

  test.each([
    "",
    "/relative",
    "//example.com/x",
    "example.com/x",
    "ftp://example.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://:pass@example.com/",
    "https://good.com@evil.com/",
    "https://exam ple.com/",
    "https://example.com:99999/",
    "https://example.com../",
    "https://example..com/",
  ])("is missing in %j", (resource) => {
    expect(hostOfResource(resource)).toBeNull();
  });
});

test.each([
  ["https://\u0430pple.com/b?c=1#d", "https://xn--pple-43d.com/b?c=1#d"],
  ["HTTPS://Example.com:443/\u202emoc.pohs", "https://example.com/%E2%80%AEmoc.pohs"],
  ["no URL", "no URL"],
])("%j is read as %j", (url, text) => {
  expect(readableUrl(url)).toBe(text);
});

const hosts = fc
  .tuple(fc.domain(), fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null }))
  .map(([name, port]) => (port === null ? name : `${name}:${port}`));

describe("an entry of an allow-list", () => {
  test("without a port covers its host at every port, and with a port only that port", () => {
    fc.assert(
      fc.property(
        fc.domain(),
        fc.integer({ min: 1, max: 65_535 }),
        fc.integer({ min: 1, max: 65_535 }),
        (domain, a, b) => {
          const host = hostOfResource(`https://${domain}:${a}/`);
          const name = normalizeHost(domain);
          fc.pre(host !== null && name !== null);
          expect(hostMatches(name, host, "443")).toBe(true);
          expect(hostMatches(normalizeHost(`${domain}:${b}`) ?? "", host, "443")).toBe(a === b);
        },
      ),
    );
  });

  test("never covers another host name: no suffix, no subdomain, no prefix", () => {
    fc.assert(
      fc.property(hosts, hosts, (a, b) => {
        const [entry, host] = [normalizeHost(a), normalizeHost(b)];
        fc.pre(entry !== null && host !== null);
        const nameOf = (text: string) => text.replace(/:\d+$/, "");
        if (hostMatches(entry, host, "443")) expect(nameOf(entry)).toBe(nameOf(host));
      }),
    );
    for (const host of ["evil-example.com", "example.com.evil.com", "a.example.com", "example.co", "xample.com"]) {
      expect(hostMatches("example.com", host, "443")).toBe(false);
    }
  });

  test.each([
    ["example.com:443", "https://example.com/", "443", true],
    ["example.com:80", "https://example.com/", "443", false],
    ["example.com:80", "http://example.com/", "80", true],
    ["example.com:443", "http://example.com/", "80", false],
    ["[::1]:8080", "http://[::1]:8080/", "80", true],
    ["[::1]", "http://[::1]:8080/", "80", true],
    ["[::1]:8080", "http://[::1]/", "80", false],
    ["127.1", "http://127.0.0.1/", "80", true],
  ])("of %j covers the URL %s with the default port %s: %s", (entry, resource, defaultPort, covers) => {
    expect(hostMatches(normalizeHost(entry) ?? "", hostOfResource(resource) ?? "", defaultPort)).toBe(covers);
  });
});
