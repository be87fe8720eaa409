import { once } from "node:events";
import { createServer, IncomingMessage, request } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { callerOf, callerOfMessage, recordCaller, recordEveryCaller, targetOf } from "./caller";

/** A server that returns the client it would count a request for; below /target, the requested target. Like Next it loses the query. */
const server = createServer((req, res) => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) headers.set(name, String(value));
  const seen = new Request("http://localhost/", { headers });
  res.end(req.url?.includes("/target") ? targetOf(seen) : callerOf(seen));
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

async function countedAs(headers: Record<string, string | string[]>, path = "/"): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: "127.0.0.1", port, path, headers });
  sent.end();
  const [res] = await once(sent, "response");
  let text = "";
  for await (const chunk of res) text += chunk;
  return text;
}

describe("without a proxy", () => {
  // The newest listener runs last and its value is kept.
  beforeAll(() => recordEveryCaller(0));

  test.each<[string, Record<string, string | string[]>]>([
    ["nothing", {}],
    ["X-Forwarded-For", { "x-forwarded-for": "203.0.113.9" }],
    ["a list of them", { "x-forwarded-for": ["203.0.113.9", "203.0.113.10, 203.0.113.11"] }],
    ["the name of our own header", { "x-tessera-caller": "203.0.113.9" }],
    ["it twice, in other cases", { "X-Tessera-Caller": ["203.0.113.9", "203.0.113.10"] }],
    ["Forwarded and X-Real-IP", { forwarded: "for=203.0.113.9", "x-real-ip": "203.0.113.9" }],
  ])("a client that sends %s is identified by its connection", async (_, headers) => {
    expect(await countedAs(headers)).toBe("127.0.0.1");
  });
});

describe("behind the operator's proxies", () => {
  test.each<[number, string | string[], string]>([
    [1, "203.0.113.9", "203.0.113.9"],
    [1, "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    [1, "198.51.100.1,203.0.113.9 ", "203.0.113.9"],
    [1, ["198.51.100.1", "203.0.113.9"], "203.0.113.9"],
    [2, "198.51.100.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"],
    [2, ["198.51.100.1, 203.0.113.9", "10.0.0.1"], "203.0.113.9"],
    [2, "203.0.113.9, 10.0.0.1", "203.0.113.9"],
    [2, "203.0.113.9", "127.0.0.1"],
    [1, "", "127.0.0.1"],
    [1, "198.51.100.1, ", "127.0.0.1"],
    [1, "unknown", "unknown"],
    [1, "203.0.113.9:4711", "203.0.113.9"],
    [1, "[2001:db8:1:2::6]:4711", "2001:db8:1:2::/64"],
    [1, "[2001:db8:1:2::6]", "2001:db8:1:2::/64"],
    [1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    [1, "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    [1, "2001:db8:1:3::", "2001:db8:1:3::/64"],
    [1, "::ffff:203.0.113.9", "203.0.113.9"],
    [1, "::ffff:cb00:7109", "203.0.113.9"],
  ])("with %i of them, X-Forwarded-For %j identifies the client as %s", async (proxies, header, caller) => {
    recordEveryCaller(proxies);
    expect(await countedAs({ "x-forwarded-for": header, "x-tessera-caller": "192.0.2.1" })).toBe(caller);
  });
});

describe("the rate-limited client address", () => {
  const callerFrom = (text: string) =>
    callerOf(new Request("http://localhost/", { headers: { "x-tessera-caller": text } }));

  test("is one for an IPv6 network, however many addresses the client uses", () => {
    const addresses = ["2001:db8::1", "2001:db8::2", "2001:0DB8:0:0:ffff::1", "2001:db8:0:0:1:2:3:4"];
    expect(new Set(addresses.map(callerFrom))).toEqual(new Set(["2001:db8::/64"]));
  });

  test("is one for all texts that are no address", () => {
    for (const text of ["", "x", "1.2.3.4.5", "[::1", "'; drop table agents --", "999.1.1.1"]) {
      expect(callerFrom(text)).toBe("unknown");
    }
    expect(callerOf(new Request("http://localhost/"))).toBe("unknown");
  });
});

describe("the request target", () => {
  beforeAll(() => recordEveryCaller(0));

  test.each([
    ["/target?a=%C3%BC%20x&__proto__=1&b=+&c", "/target?a=%C3%BC%20x&__proto__=1&b=+&c"],
    ["//evil.example/target", "//evil.example/target"],
    ["http://evil.example/target?x", "/"],
  ])("of %s is %s, whatever a client sends in the internal header", async (path, target) => {
    expect(await countedAs({ "x-tessera-target": "/elsewhere" }, path)).toBe(target);
  });

  test("is that of the request if no server is in front", () => {
    expect(targetOf(new Request("http://localhost/a?b=%20"))).toBe("/a?b=%20");
  });
});

/** The method that failed, which has no type. */
type Distinct = { _addHeaderLineDistinct: () => void };

describe("header names that are properties of every object", () => {
  afterEach(() => vi.restoreAllMocks());

  test("do not hide the client's address, also on a Node that cannot parse such headers", () => {
    vi.spyOn(IncomingMessage.prototype as unknown as Distinct, "_addHeaderLineDistinct").mockImplementation(() => {
      throw new TypeError("dest[field].push is not a function");
    });
    const req = new IncomingMessage(new Socket());
    req.rawHeaders.push("__proto__", "x", "constructor", "y", "X-Forwarded-For", "192.0.2.1, 203.0.113.7");
    req.headers = { constructor: "y", "x-forwarded-for": "192.0.2.1, 203.0.113.7", "x-tessera-caller": "198.51.100.1" };
    recordCaller(req, 1);
    expect(callerOfMessage(req)).toBe("203.0.113.7");
  });
});
