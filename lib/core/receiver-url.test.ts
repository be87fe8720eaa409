import { describe, expect, test } from "vitest";
import { readUrl } from "./receiver-url";

describe("the URL of a webhook receiver", () => {
  test.each([
    ["https://example.com/hooks?x=1", "https://example.com/hooks?x=1"],
    ["HTTPS://Example.COM:8443/a b#part", "https://example.com:8443/a%20b"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700::1111]/", "https://[2606:4700::1111]/"],
  ])("%s is stored as %s, on a devnet too", (text, url) => {
    const valid = { type: "valid", url };
    expect([readUrl(text, false), readUrl(text, true)]).toEqual([valid, valid]);
  });

  test.each([
    ["", "url_invalid"],
    ["example.com/hooks", "url_invalid"],
    ["https://", "url_invalid"],
    ["https://user@example.com/", "url_has_credentials"],
    ["https://:secret@example.com/", "url_has_credentials"],
    ["http://example.com/", "url_not_https"],
    ["ftp://example.com/", "url_not_https"],
    ["file:///etc/passwd", "url_not_https"],
    ["javascript:alert(1)", "url_not_https"],
    ["http://8.8.8.8/", "url_not_https"],
    ["https://intranet/", "url_not_public"],
    ["https://10.0.0.1/", "url_not_public"],
    ["https://0xa.1/", "url_not_public"],
    ["https://169.254.169.254/latest", "url_not_public"],
    ["https://[fd00:ec2::254]/", "url_not_public"],
    ["https://[::ffff:10.0.0.1]/", "url_not_public"],
  ])("%s is refused as %s, on a devnet too", (text, fault) => {
    const invalid = { type: "invalid", fault };
    expect([readUrl(text, false), readUrl(text, true)]).toEqual([invalid, invalid]);
  });

  test.each(["localhost", "localhost.", "127.0.0.1", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])(
    "with the local host %s is accepted on a devnet and refused elsewhere",
    (host) => {
      expect(readUrl(`http://${host}:4000/`, true)).toMatchObject({ type: "valid" });
      expect(readUrl(`https://${host}:4000/`, true)).toMatchObject({ type: "valid" });
      expect(readUrl(`http://${host}:4000/`, false)).toEqual({ type: "invalid", fault: "url_not_https" });
      expect(readUrl(`https://${host}:4000/`, false)).toEqual({ type: "invalid", fault: "url_not_public" });
    },
  );
});
