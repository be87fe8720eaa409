import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { docsConfig } from "@/tests/support/docs";
import { type Call, sampleOf } from "./calls";
import { renderMarkdown } from "./markdown";
import { docsSite } from "./service";

const { pages } = docsSite(docsConfig("https://wallet.example"));
const all = pages.flatMap(({ calls }) => Object.values(calls ?? {}));

function callOf(method: string, path: string): Call {
  const match = all.find((call) => call.method === method && call.path === path);
  if (!match) throw new Error(`there is no ${method} ${path}`);
  return match;
}

describe("the request forms in the documentation", () => {
  test("have a heading for each endpoint", () => {
    const missing = pages.flatMap(({ path, markdown, file, calls = {} }) => {
      const places = renderMarkdown(markdown, file).blocks.map((block) => block.kind === "html" && block.endsWith);
      return Object.keys(calls)
        .filter((anchor) => !places.includes(anchor))
        .map((anchor) => `${path}#${anchor}`);
    });
    expect(missing).toEqual([]);
    expect(all.length).toBeGreaterThan(100);
    expect(all.some(({ path }) => path === "/mcp")).toBe(false);
  });

  test("have a required field for every parameter of a path", () => {
    const missing = all.filter(({ path, fields }) => {
      const named = fields.filter(({ place, isRequired }) => place === "path" && isRequired).map(({ name }) => name);
      return [...path.matchAll(/\{(\w+)\}/g)].some(([, name = ""]) => !named.includes(name));
    });
    expect(missing).toEqual([]);
  });

  test("have the login, the session and the payment headers of the contract", () => {
    expect(callOf("GET", "/facilitator/supported")).toMatchObject({ fields: [], session: null, body: null });
    expect(callOf("GET", "/api/payments").fields.at(-1)).toMatchObject({ name: "Authorization", prefix: "Bearer " });
    expect(callOf("GET", "/api/wallet").session).toMatch(/session-token/);
    const headers = callOf("POST", "/api/credits/top-up").fields.map(({ name }) => name);
    expect(headers).toEqual(["X-PAYMENT", "PAYMENT-SIGNATURE", "Authorization"]);
  });

  test("have the example of the reference as their body", () => {
    expect(JSON.parse(callOf("POST", "/register").body?.sample ?? "")).not.toEqual({});
    expect(JSON.parse(callOf("POST", "/api/devnet/faucet").body?.sample ?? "")).toEqual(
      ENDPOINTS.find(({ id }) => id === "mintTestDollars")?.endpoint.example?.request,
    );
    const unreadable = all.filter(({ body }) => body !== null && typeof JSON.parse(body.sample) !== "object");
    expect(unreadable).toEqual([]);
  });
});

describe("the sample of a schema", () => {
  const named = {
    Name: { type: "string", default: "x" },
    Loop: { properties: { again: { $ref: "#/c/Loop" } }, required: ["again"] },
  };

  test("follows references, first branches and limits", () => {
    const schema = {
      type: "object",
      properties: {
        name: { $ref: "#/c/Name" },
        kind: { enum: ["a", "b"] },
        count: { type: "integer", minimum: 3 },
        list: { type: "array", minItems: 1, items: { type: ["string", "null"] } },
        or: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        left: { type: "string" },
      },
      required: ["name", "kind", "count", "list", "or"],
    };
    expect(sampleOf(schema, named)).toEqual({ name: "x", kind: "a", count: 3, list: [""], or: false });
    const parts = {
      allOf: [schema],
      properties: { text: {} },
      anyOf: [{ properties: { text: {} }, required: ["text"] }],
    };
    expect(sampleOf(parts, named)).toMatchObject({ name: "x", text: "" });
  });

  test("ends for a schema that contains itself", () => {
    expect(JSON.stringify(sampleOf({ $ref: "#/c/Loop" }, named))).toContain("null");
  });
});
