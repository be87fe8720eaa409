import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { SERVICE } from "@/ops/compile-lib";
import { openShop } from "../support/attack";
import { BASE_URL, serverPort } from "../support/base-url";
import { call } from "../support/http";
import { OTHER_BUILD } from "../support/other-build";
import { startServer } from "../support/server";

// What only a build can break. For refusals in the transaction of a claim see attack-refusals.

const shop = openShop();

test("a module of lib is in the build once: in the package, and in no script of Next's server", () => {
  // Texts of the composition root, of errors and of the database.
  const texts = [
    "no balance of a relayer on ",
    "The configuration is incomplete or wrong:",
    "The body uses a reserved member name",
  ];
  const server = join(OTHER_BUILD ?? ".", ".next", "server");
  const scripts = readdirSync(server, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  const count = (file: string, text: string) => readFileSync(file, "utf8").split(text).length - 1;
  for (const text of texts) {
    expect(count(join(OTHER_BUILD ?? ".", SERVICE), text), text).toBe(1);
    expect(scripts.filter((file) => count(join(server, file), text) > 0)).toEqual([]);
  }
  expect(scripts.some((file) => count(join(server, file), "@tessera/lib") > 0)).toBe(true);
});

test.each(["/pay/lnk_0000000000000000000000", "/receipt/stl_000000000000000000000000"])(
  "%s with an unknown id is a page that says so, not an error",
  async (path) => {
    const response = await call("GET", path, { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      expect.stringContaining("text/html"),
    ]);
  },
);

test("the page with which owners withdraw from their vaults is served as the built file, and cannot be framed", async () => {
  const response = await fetch(`${BASE_URL}/vault-exit.html`);
  expect([response.status, response.headers.get("content-security-policy")]).toEqual([200, "frame-ancestors 'none'"]);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(await response.text()).toBe(readFileSync("public/vault-exit.html", "utf8"));
});

const startWith = async (env: Record<string, string>) =>
  startServer({ port: await serverPort(), env, isWorking: false });

test("the server does not start with a node of another chain", async () => {
  const started = startWith({ BASE_RPC_URL: shop.world.rpc["base-sepolia"] });
  await expect(started).rejects.toThrow(
    /ended with 1:[\s\S]*BASE_RPC_URL.* is a node of chain 84532, not of Base \(8453\)/,
  );
});

test("the server does not start with a master key that cannot decrypt the stored secrets", async () => {
  const started = startWith({ MASTER_KEY: "77".repeat(32) });
  await expect(started).rejects.toThrow(/ended with 1:[\s\S]*MASTER_KEY.*does not open the secrets/);
});

const VAULT_FACTORY = VAULT_CONTRACTS[2].factory.address;

test("the server does not start with another vault factory than the one of this version", async () => {
  const started = startWith({ VAULT_FACTORY: "0x00000000000000000000000000000000000000Fa" });
  await expect(started).rejects.toThrow(
    /ended with 1:[\s\S]*VAULT_FACTORY \(vault contracts on base\): it is 0x0{38}Fa, but this version's factory is 0x\w{40}/i,
  );
});

test("the server does not start with a chain that has no vault factory", async () => {
  const client = shop.world.client();
  const bytecode = (await client.getCode({ address: VAULT_FACTORY })) ?? "0x";
  await client.setCode({ address: VAULT_FACTORY, bytecode: "0x" });
  await expect(startWith({ VAULT_FACTORY })).rejects.toThrow(
    /ended with 1:[\s\S]*VAULT_FACTORY \(vault contracts on base\): .* on Base does not have the code of the vault factory.*npm run contracts:deploy/,
  );
  await client.setCode({ address: VAULT_FACTORY, bytecode });
});
