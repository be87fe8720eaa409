import { expect, test } from "vitest";
import { lightRequest } from "./light-request.mjs";

const URL_SENT = "http://localhost/things/7?a=%20b";
const SENT = {
  host: "localhost",
  accept: "a/b, c/d",
  "x-empty": "",
  "x-caller": "192.0.2.1",
  "set-cookie": ["a=1", "b=2"],
};

function open() {
  const built: Request[] = [];
  const headers = Object.entries(SENT).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const build = () => {
    const request = new Request(URL_SENT, { method: "DELETE", headers });
    built.push(request);
    return request;
  };
  // Of Node's request, only these members are read.
  const incoming = { method: "DELETE", headers: SENT } as unknown as Parameters<typeof lightRequest>[0];
  return {
    request: lightRequest(incoming, URL_SENT, build),
    full: new Request(URL_SENT, { method: "DELETE", headers }),
    built,
  };
}

test("method, URL and single headers are those of a Request, and none is built for them", () => {
  const { request, full, built } = open();
  expect([request.method, request.url]).toEqual([full.method, full.url]);
  for (const name of [...Object.keys(SENT), "Accept", "X-CALLER", "missing", "constructor", "__proto__"]) {
    expect([name, request.headers.get(name), request.headers.has(name)]).toEqual([
      name,
      full.headers.get(name),
      full.headers.has(name),
    ]);
  }
  expect(built).toEqual([]);
});

test("the rest is that of one Request, which is built once", async () => {
  const { request, full, built } = open();
  expect([...request.headers]).toEqual([...full.headers]);
  expect([...new Headers(request.headers)]).toEqual([...full.headers]);
  expect(request.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect([request.body, request.signal.aborted, request.clone().url]).toEqual([null, false, full.url]);
  expect(await request.text()).toBe("");
  expect(built).toHaveLength(1);
});
