import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import type { Schema } from "@/lib/core/json-schema";
import { isRecord } from "@/lib/core/record";
import { decodeBody } from "@/lib/http/route";
import { openApi } from "./document";
import { ENDPOINTS } from "./endpoints";
import { bodyOf } from "./failures";
import { exampleOf } from "./operation";

/** Endpoints that ignore unknown members, each with a reason in its declaration. */
const TOLERANT = ["refreshLogin", "registerAgent", "registerApp", "settlePayment", "signV1", "signV3", "verifyPayment"];
/** Objects of other protocols, whose members are read or passed on. A dot separates the example's members. */
const OPEN = [
  "connectApp.request",
  "scanTransactionSold.",
  "scanX402Sold.",
  "scanX402Sold.expected",
  "scanX402Sold.paymentRequired",
  "scanX402Sold.paymentRequired.accepts.0",
  "scanX402Sold.paymentRequired.accepts.0.extra",
  "signV2.paymentRequest",
  "signV2.paymentRequest.accepts.0",
  "signV2.paymentRequest.accepts.0.extra",
  "signV2.paymentRequest.resource",
];

const UNKNOWN = "memberThatNobodyLists";

const withBody = ENDPOINTS.flatMap(({ id, endpoint }) => {
  const body = bodyOf(endpoint);
  return body ? [{ id, endpoint, body, request: exampleOf(endpoint, "https://wallet.test").request }] : [];
});
const strict = withBody.filter(({ endpoint }) => endpoint.ignoresUnknown === undefined);

const document = openApi("https://wallet.test");
const ajv = new Ajv2020({ strict: false, schemas: { "openapi.json": document } });
addFormats.default(ajv);
ajv.addFormat("base64", true);

/** Whether the document's schema of the endpoint's body accepts it. */
function isDocumented(path: string, method: string, json: unknown): boolean {
  const parts = ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"];
  const pointer = parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
  return ajv.validate({ $ref: `openapi.json#/${pointer.join("/")}` } satisfies Schema, json);
}

/** The places of all objects in a value. */
const objectsIn = (value: unknown, path: string[] = []): string[][] =>
  Array.isArray(value)
    ? value.flatMap((item, index) => objectsIn(item, [...path, String(index)]))
    : isRecord(value)
      ? [path, ...Object.entries(value).flatMap(([name, inner]) => objectsIn(inner, [...path, name]))]
      : [];

/** A copy with another member in the object at `path`. */
function withUnknown(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? withUnknown(item, rest) : item));
  if (!isRecord(value)) return value;
  return name === undefined ? { ...value, [UNKNOWN]: 1 } : { ...value, [name]: withUnknown(value[name], rest) };
}

const places = strict.flatMap((one) =>
  objectsIn(one.request).map((path) => ({ ...one, path, place: `${one.id}.${path.join(".")}` })),
);

test("endpoints that ignore unknown members say why", () => {
  const tolerant = withBody.filter(({ endpoint }) => endpoint.ignoresUnknown !== undefined);
  expect(tolerant.map(({ id }) => id).sort()).toEqual(TOLERANT);
  for (const { endpoint } of tolerant) expect(endpoint.ignoresUnknown).toMatch(/\S{3,} \S/);
});

test("the objects that take any members are those of other protocols", () => {
  expect(OPEN.filter((place) => !places.some((one) => one.place === place))).toEqual([]);
});

describe("a member that the declaration does not list", () => {
  test.each(places.filter(({ place }) => !OPEN.includes(place)))(
    "is refused by its name at $place",
    ({ endpoint: { path: url, method }, body, request, path }) => {
      const json = withUnknown(request, path);
      const field = [...path, UNKNOWN].join(".");
      let refusal: unknown;
      try {
        decodeBody(body, json);
      } catch (error) {
        refusal = error;
      }
      const message = `${field}: is not a field of this request`;
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ code: "invalid_request", details: { field, message, reason: message } });
      expect(isDocumented(url, method, request)).toBe(true);
      expect(isDocumented(url, method, json)).toBe(false);
    },
  );

  test.each(places.filter(({ place }) => OPEN.includes(place)))(
    "is accepted at $place",
    ({ endpoint: { path: url, method }, body, request, path }) => {
      const json = withUnknown(request, path);
      expect(() => decodeBody(body, json)).not.toThrow();
      expect(isDocumented(url, method, json)).toBe(true);
    },
  );
});
