import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPacked, type Project } from "@/packages/client/testing/packed";
import { call } from "../support/http";
import { linkedPair, signedMandate } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { type Served, serve } from "../support/serve";
import { shareService } from "../support/service";

/** The packed package in an empty project, installed offline, pays a link with the ten lines of its README. */
const service = shareService();
let server: Served;
let project: Project;

beforeAll(async () => {
  project = installPacked();
  server = await serve();
});

afterAll(() => project?.remove());

/** A buyer with an account in the environment, and a seller's link. */
async function atShop() {
  const buyer = await signedMandate({ limitAmount: "1000000" });
  await service.world.mint(await walletOf(buyer.owner), 1_000_000n);
  const seller = await linkedPair();
  const json = { amount: "250000", resourceContent: "what was bought" };
  const { body } = await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json });
  const env = {
    ...process.env,
    NODE_OPTIONS: "",
    TESSERA_CONFIG_DIR: join(project.directory, "config"),
    TESSERA_URL: server.url,
    TESSERA_AGENT_ID: buyer.agent.agentId,
    TESSERA_TOKEN: buyer.agent.token,
  };
  const sellerBalance = async () => service.world.balanceOf(await walletOf(seller.owner));
  return { url: (body as { paymentLink: { url: string } }).paymentLink.url, env, held: sellerBalance };
}

const execute = promisify(execFile);

test("with the packed package, a program of ten lines pays at a payment link", async () => {
  const { url, env, held } = await atShop();
  const [, example = ""] = /```ts\n(.*?)```/s.exec(readFileSync("packages/client/README.md", "utf8")) ?? [];
  expect(example.trim().split("\n").length).toBeLessThanOrEqual(10);
  writeFileSync(join(project.directory, "pay.mjs"), example);
  const { stdout } = await execute(process.execPath, ["pay.mjs", url], { cwd: project.directory, env });
  expect(stdout).toContain("resource: 'what was bought'");
  expect(stdout.trim()).toMatch(/0x[0-9a-f]{64}$/);
  expect(await held()).toBe(250_000n);
});

test("with the packed package, the command line pays at a payment link", async () => {
  const { url, env, held } = await atShop();
  const command = join("node_modules", ".bin", "tessera");
  const { stdout } = await execute(command, ["pay", url, "--max", "0.25", "--json"], { cwd: project.directory, env });
  const { status, receipt, body } = JSON.parse(stdout);
  expect([status, receipt.amount, JSON.parse(body).resource]).toEqual([200, "250000", "what was bought"]);
  expect(await held()).toBe(250_000n);
  const tooDear = execute(command, ["pay", url, "--max", "0.24"], { cwd: project.directory, env });
  await expect(tooDear).rejects.toMatchObject({ code: 4 });
});
