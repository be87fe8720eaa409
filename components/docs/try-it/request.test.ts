import { describe, expect, test } from "vitest";
import type { Call, CallField } from "@/lib/docs/calls";
import { type Built, type BuiltRequest, buildRequest, curlOf, keyOf } from "./request";
import { cut, decoded, shownHeaders } from "./try-form";

const ORIGIN = "https://wallet.example";

const field = (place: CallField["place"], name: string, more: Partial<CallField> = {}): CallField => ({
  place,
  name,
  label: name,
  hint: "",
  isRequired: place === "path",
  prefix: "",
  ...more,
});

const LINK = field("path", "linkId");
const LIMIT = field("query", "limit");
const LOGIN = field("header", "Authorization", { label: "Login JWT", prefix: "Bearer " });
const MPP = field("header", "Authorization", { label: "MPP credential", prefix: "Payment " });

const call: Call = {
  method: "PATCH",
  path: "/api/links/{linkId}",
  fields: [LINK, LIMIT, LOGIN, MPP],
  session: null,
  body: { type: "application/json", sample: "{}" },
};

const build = (values: readonly (readonly [CallField, string])[], body = ""): Built =>
  buildRequest(ORIGIN, call, Object.fromEntries(values.map(([each, value]) => [keyOf(each), value])), body);

function requestOf(built: Built): BuiltRequest {
  if (built.type === "invalid") throw new Error(JSON.stringify(built.faults));
  return built.request;
}

const faultsOf = (built: Built): string[] => (built.type === "valid" ? [] : Object.values(built.faults));

describe("a request from a form", () => {
  test("has its parameters encoded in place, and none for empty fields", () => {
    const request = requestOf(
      build(
        [
          [LINK, " a/b?#$& "],
          [LIMIT, "5 &x=1"],
          [LOGIN, "ey.J"],
        ],
        '{"a":1}',
      ),
    );
    expect(request).toEqual({
      method: "PATCH",
      url: `${ORIGIN}/api/links/a%2Fb%3F%23%24%26?limit=5+%26x%3D1`,
      headers: [
        ["Content-Type", "application/json"],
        ["Authorization", "Bearer ey.J"],
      ],
      body: '{"a":1}',
    });
    const bare = requestOf(
      build([
        [LINK, "l"],
        [LIMIT, "  "],
      ]),
    );
    expect(bare).toEqual({ method: "PATCH", url: `${ORIGIN}/api/links/l`, headers: [], body: null });
  });

  test("has the authorization scheme once, even if it was typed too", () => {
    expect(
      requestOf(
        build([
          [LINK, "l"],
          [LOGIN, "bearer x"],
        ]),
      ).headers,
    ).toEqual([["Authorization", "bearer x"]]);
    expect(
      requestOf(
        build([
          [LINK, "l"],
          [MPP, "x"],
        ]),
      ).headers,
    ).toEqual([["Authorization", "Payment x"]]);
  });

  test("stays at its endpoint's path", () => {
    expect(faultsOf(build([]))).toEqual(["Enter linkId."]);
    expect(faultsOf(build([[LINK, ".."]]))).toEqual(["linkId cannot be “..”."]);
    const { url } = requestOf(build([[LINK, "%2e%2e"]]));
    expect(new URL(url).pathname).toBe("/api/links/%252e%252e");
  });

  test("has no header that browsers refuse", () => {
    expect(
      faultsOf(
        build([
          [LINK, "l"],
          [LOGIN, "a\nb"],
        ]),
      ),
    ).toHaveLength(1);
    expect(
      faultsOf(
        build([
          [LINK, "l"],
          [LOGIN, "é"],
        ]),
      ),
    ).toHaveLength(1);
    expect(faultsOf(build([[LINK, "\ud800"]]))).toHaveLength(1);
    expect(
      faultsOf(
        build([
          [LINK, "l"],
          [LOGIN, "a"],
          [MPP, "b"],
        ]),
      ),
    ).toHaveLength(2);
  });
});

describe("the curl command of a request", () => {
  test("quotes every argument", () => {
    const request = requestOf(
      build(
        [
          [LINK, "it's"],
          [LOGIN, "$(id)'"],
        ],
        "@/etc/passwd ' `id`",
      ),
    );
    expect(curlOf(request, null)).toBe(
      [
        "curl -i -X PATCH 'https://wallet.example/api/links/it'\\''s'",
        "-H 'Content-Type: application/json'",
        "-H 'Authorization: Bearer $(id)'\\'''",
        "--data-raw '@/etc/passwd '\\'' `id`'",
      ].join(" \\\n  "),
    );
  });

  test("has the session's cookie, and the Origin header for changes", () => {
    const request = { method: "GET", url: `${ORIGIN}/api/wallet`, headers: [], body: null };
    expect(curlOf(request, "session")).toBe(`curl -i -X GET '${ORIGIN}/api/wallet' \\\n  -b "session=$SESSION"`);
    expect(curlOf({ ...request, method: "DELETE" }, "session")).toContain(`-H 'Origin: ${ORIGIN}'`);
  });
});

describe("a displayed response", () => {
  test("has its important headers in order", () => {
    const headers = new Headers({ "x-request-id": "r", "retry-after": "3", "x-other": "y" });
    expect(shownHeaders(headers)).toEqual([
      ["Retry-After", "3"],
      ["X-Request-Id", "r"],
    ]);
  });

  test("has base64 decoded if it is JSON, and unchanged otherwise", () => {
    expect(decoded(Buffer.from('{"name":"é"}').toString("base64"))).toEqual({ name: "é" });
    for (const value of ["Payment id=1", "3", "bm90IGpzb24=", "/w==", ""]) expect(decoded(value)).toBeNull();
  });

  test("is cut when it is long", () => {
    expect(cut("a")).toEqual({ text: "a", isCut: false });
    expect(cut("a".repeat(100_001))).toEqual({ text: "a".repeat(100_000), isCut: true });
  });
});
