import { expect, test } from "vitest";
import { openShop } from "../support/attack";
import { serverPort } from "../support/base-url";
import { call } from "../support/http";
import { startServer } from "../support/server";

// The production build loads several copies of the modules (routes, pages, instrumentation). These tests fail if the copies
// disagree. For refusals in the transaction of a claim see attack-refusals.

const shop = openShop();

test.each(["/pay/lnk_0000000000000000000000", "/receipt/stl_000000000000000000000000"])(
  "%s with an unknown id is a page that says so, not an error",
  async (path) => {
    const answer = await call("GET", path, { headers: { accept: "text/html" } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([404, expect.stringContaining("text/html")]);
  },
);

const startWith = async (env: Record<string, string>) =>
  startServer({ port: await serverPort(), env, isWorking: false });

test("the server does not start with a node of another chain", async () => {
  const started = startWith({ BASE_RPC_URL: shop.world.rpc["base-sepolia"] });
  await expect(started).rejects.toThrow(
    /ended with 1:[\s\S]*BASE_RPC_URL.* is a node of chain 84532, not of Base \(8453\)/,
  );
});

test("the server does not start with a key that does not open the stored secrets", async () => {
  const started = startWith({ MASTER_KEY: "77".repeat(32) });
  await expect(started).rejects.toThrow(/ended with 1:[\s\S]*MASTER_KEY.*does not open the secrets/);
});
