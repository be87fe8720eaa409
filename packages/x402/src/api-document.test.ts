import { describe, expect, test } from "vitest";
import { readApiDocument } from "./api-document.ts";
import { NETWORKS } from "./networks.ts";

const read = (document: object, base = "https://api.example.com/v1") =>
  readApiDocument({ openapi: "3.1.0", ...document }, { base, from: "https://api.example.com/openapi.json" });
const pathsOf = (paths: object, rest: object = {}) => read({ paths, ...rest })?.paths.map(({ path }) => path);

describe("an OpenAPI document", () => {
  test("names the paths below the address of the API", () => {
    const paths = { "/v1/quotes/{symbol-id}": { get: {} }, "/v1/report": { post: {} }, "/health": { get: {} } };
    expect(read({ info: { title: "Quotes" }, paths })).toEqual({
      title: "Quotes",
      methods: ["GET", "POST"],
      paths: [
        { path: "/quotes/{symbol_id}", amount: null },
        { path: "/report", amount: null },
      ],
      leftOut: 1,
    });
  });

  test.each([
    [{ servers: [{ url: "https://api.example.com/v1/" }] }, ["/quotes"]],
    [{ servers: [{ url: "/v1" }] }, ["/quotes"]],
    [{ openapi: undefined, swagger: "2.0", basePath: "/v1" }, ["/quotes"]],
    // Its paths do not have the prefix of a proxy before it.
    [{}, ["/quotes"]],
    [{ servers: [{ url: "/other" }] }, ["/quotes"]],
  ])("with %j has its paths below the same address", (rest, paths) => {
    expect(pathsOf({ "/quotes": { get: {} } }, rest)).toEqual(paths);
  });

  test("is read without what a link cannot sell, and without what changes something", () => {
    const base = "https://api.example.com";
    const paths = {
      "/": { get: {} },
      "/a/{b}/{c}": { get: {} },
      "/a/{b}.json": { get: {} },
      "/a/../b": { get: {} },
      "/a//b": { get: {} },
      "/a b": { get: {} },
      "/a?b=1": { get: {} },
      "/items/{id}": { delete: {}, get: {} },
      "/Items/{other}": { get: {} },
      "/gone": { delete: {} },
      [`/${"x".repeat(200)}`]: { get: {} },
    };
    expect(read({ paths }, base)).toMatchObject({
      methods: ["GET"],
      paths: [{ path: "/" }, { path: "/items/{id}" }],
      leftOut: 9,
    });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`/p${index}`, { get: {} }]));
    expect(read({ paths: many }, base)).toMatchObject({ paths: { length: 50 }, leftOut: 10 });
  });

  test.each([
    [{ offers: [{ method: "evm", intent: "charge", currency: NETWORKS.base.usdc, amount: "20000" }] }, "20000"],
    [{ price: { mode: "fixed", amount: "0.05", currency: "USD" } }, "50000"],
    [{ price: "$0.000001" }, "1"],
    [{ price: "12", currency: "EUR" }, null],
    [{ price: "0.00" }, null],
    [{ price: "0.00000001" }, null],
    [{ minPrice: "1", maxPrice: "2" }, null],
    [{}, null],
    ["0.05", null],
  ])("with x-payment-info %j has the price %j", (payment, amount) => {
    const paths = { "/v1/a": { get: { "x-payment-info": payment } } };
    expect(read({ paths })?.paths).toEqual([{ path: "/a", amount }]);
  });

  test("has the highest price of a path's operations", () => {
    const priced = (price: string) => ({ "x-payment-info": { price } });
    const paths = { "/v1/a": { get: priced("0.9"), post: priced("10") }, "/v1/b": { get: priced("2"), post: {} } };
    expect(read({ paths })?.paths.map(({ amount }) => amount)).toEqual(["10000000", "2000000"]);
  });

  test("has the highest price of an operation's offers", () => {
    const offers = ["20000", "900000", "30000"].map((amount) => ({
      ...{ method: "evm", intent: "charge", currency: NETWORKS.base.usdc },
      amount,
    }));
    expect(read({ paths: { "/v1/a": { get: { "x-payment-info": { offers } } } } })?.paths).toEqual([
      { path: "/a", amount: "900000" },
    ]);
  });

  test.each([
    (url: string) => ({ servers: [{ url }] }),
    (basePath: string) => ({ openapi: undefined, swagger: "2.0", basePath }),
  ])("with a server of 900 KB is read as without one (%#)", (serverOf) => {
    const entries = Array.from({ length: 2_000 }, (_, index) => [`/p${index}`, { get: {} }]);
    const paths = Object.fromEntries(entries);
    expect(read({ paths, ...serverOf(`${"/a".repeat(225_000)}${"/".repeat(450_000)}b`) })).toEqual(read({ paths }));
  });

  test.each([null, [], "{}", 1, {}, { openapi: "3.0.0" }, { openapi: 3, paths: {} }, { openapi: "3.0.0", paths: 1 }])(
    "is not %j",
    (json) => {
      const from = "https://api.example.com/openapi.json";
      expect(readApiDocument(json, { base: from, from })).toBeNull();
    },
  );
});
