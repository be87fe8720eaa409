import { describe, expect, test } from "vitest";
import { bareHost, isLoopback, isPublicAddress, isWithin, readRange } from "./ip";

const PRIVATE = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "203.0.113.5",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::7f00:1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "::ffff:0:7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];

test.each(PRIVATE)("%s is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
  "%s is a public address",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each(["", "localhost", "8.8.8.8.8", "8.8.8.8:80", "300.1.1.1"])(
  "the text %j is neither a public nor a loopback address",
  (text) => {
    expect([isPublicAddress(text), isLoopback(text)]).toEqual([false, false]);
  },
);

test("a URL's host is read without brackets and without a final dot", () => {
  const bare = ["https://[::1]:8/", "https://a.example./", "https://a.example/"].map((url) => bareHost(new URL(url)));
  expect(bare).toEqual(["::1", "a.example", "a.example"]);
});

describe("a range of addresses", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9", true],
    ["203.0.113.9", "203.0.113.10", false],
    ["203.0.113.9", "::ffff:203.0.113.9", true],
    ["203.0.113.0/24", "203.0.113.77", true],
    ["2001:db8::/32", "2001:db8:1::1", true],
    ["2001:db8::/32", "203.0.113.9", false],
  ])("%s contains %s: %s", (range, address, isIn) => {
    const read = readRange(range);
    expect(read && isWithin(address, [read])).toBe(isIn);
  });

  test.each(["", "example.com", "1.2.3.4/33"])("cannot be read from the text %s", (text) =>
    expect(readRange(text)).toBeNull(),
  );
});
