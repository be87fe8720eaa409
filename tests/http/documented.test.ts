import { describe, expect, test } from "vitest";
import { docsUrl } from "@/lib/core/retry";
import { declaredResponses } from "../support/declared";
import { assertDocumented } from "../support/documented";
import { BASE_URL } from "../support/http";
import { compare, groupsOf, rewritten } from "../support/untested";

/** The check that every call of the tests goes through (support/http.ts). */
const respond = (path: string, status: number, body: object, type = "application/json") => ({
  method: "GET",
  path,
  status,
  headers: new Headers({ "content-type": type }),
  text: JSON.stringify(body),
  body,
});

const error = (code: string, change: object = {}) => ({
  status: "error",
  error: "x",
  message: "x",
  code,
  requestId: "r",
  retry: "fix_request",
  docsUrl: docsUrl(BASE_URL, code),
  ...change,
});

const MANDATE = "/api/mandates/agent/mand_1";

describe("a response that is compared with its contract", () => {
  test.each([
    ["as declared", respond(MANDATE, 404, error("mandate_not_found"))],
    ["with a further member", respond(MANDATE, 404, error("mandate_not_found", { mandateId: "mand_1" }))],
    ["of an identity endpoint", respond("/agent/nobody", 404, { error: "agent_not_found" })],
    ["of a path that the document does not have", respond("/api/nothing", 418, {})],
  ])("%s passes", (_, given) => expect(() => assertDocumented(given)).not.toThrow());

  test.each([
    ["an undeclared status", respond(MANDATE, 418, {}), /is not in the API's document/],
    ["an undeclared code", respond(MANDATE, 404, error("payout_not_found")), /differs/],
    ["a code of another status", respond(MANDATE, 409, error("mandate_not_found")), /not in|differs/],
    ["a code in the wrong case", respond(MANDATE, 404, error("MANDATE_NOT_FOUND")), /differs/],
    ["no rule for a retry", respond(MANDATE, 404, error("mandate_not_found", { retry: undefined })), /differs/],
    ["an unknown rule", respond(MANDATE, 404, error("mandate_not_found", { retry: "perhaps" })), /differs/],
    ["a body of another shape", respond("/.well-known/jwks.json", 200, { keys: [{}] }), /differs/],
    ["another content type", respond("/.well-known/jwks.json", 200, {}, "text/html"), /content type/],
    ["another wire string", respond("/agent/nobody", 404, { error: "gone" }), /differs/],
  ])("with %s fails", (_, given, message) => {
    const { body } = JSON.parse(JSON.stringify({ body: given.body }));
    expect(() => assertDocumented({ ...given, body })).toThrow(message);
  });
});

test("declared responses are named by method, path, status and code", () => {
  const declared = declaredResponses();
  expect(declared).toEqual(
    expect.arrayContaining([
      "GET /api/mandates/agent/{mandateId} 200 -",
      "GET /api/mandates/agent/{mandateId} 404 mandate_not_found",
      "GET /agent/{agentId} 404 agent_not_found",
      "GET /paymentlink/{linkId} 402 -",
      "GET /paymentlink/{linkId} 402 PAYMENT_EXPIRED",
      "GET /paymentlink/{linkId} 410 LINK_SOLD_OUT",
      "GET /paymentlink/{linkId} 500 SETTLEMENT_FAILED",
      "POST /api/payouts 201 -",
    ]),
  );
  expect(declared.filter((line) => / (?:internal_error|unavailable)$/i.test(line))).toEqual([]);
});

test("a declared response is missing if no test saw it and the list of untested ones lacks it", () => {
  expect(compare(["a", "b", "c"], new Set(["a"]), ["a", "b", "gone"])).toEqual({
    missing: ["c"],
    gone: ["gone"],
    seen: ["a"],
  });
});

test("rewriting the list of untested responses keeps the reasons, and marks new entries as not reviewed", () => {
  const list = "# needs a fault\na\nb\n\n# a race\nc\n";
  const next = rewritten(list, { missing: ["d"], gone: ["b"], seen: ["c"] });
  expect(next).toBe("# needs a fault\na\n\n# not reviewed\nd\n");
  expect([...groupsOf(next)]).toEqual([
    ["# needs a fault", ["a"]],
    ["# not reviewed", ["d"]],
  ]);
});
