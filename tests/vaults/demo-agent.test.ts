import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApi } from "@/dev/actors/api";
import { type OwnerActor, signInOwner } from "@/dev/actors/owners";
import { prepareDemoAgent } from "@/dev/demo/agent";
import { toAddress } from "@/lib/core/address";
import { type Served, serve } from "../support/serve";
import { shareService } from "../support/service";

/** The agent of `npm run up`, whose request is the first thing that a newcomer signs. */
const service = shareService();
const directories: string[] = [];
let server: Served;

beforeAll(async () => {
  server = await serve();
});
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

/** Lets the owner sign the request, and returns what the agent printed up to its first payment. */
async function untilPaid(sign: (owner: OwnerActor, mandateId: string) => Promise<unknown>): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-demo-"));
  directories.push(directory);
  const printed: string[] = [];
  const demo = await prepareDemoAgent(server.url, directory, (line) => printed.push(line));
  if (demo === null) throw new Error(printed.join("\n"));
  const owner = await signInOwner(openApi(server.url), "Newcomer", privateKeyToAccount(generatePrivateKey()));
  await service.world.mint(toAddress(owner.account.address), 100_000_000n);
  const mandateId = await owner.claim(demo.authorizationUrl);
  const quit = new AbortController();
  const running = demo.run((line) => printed.push(line), quit.signal);
  try {
    await sign(owner, mandateId);
    await expect.poll(() => printed.some((line) => line.includes("paid ")), { timeout: 60_000 }).toBe(true);
  } finally {
    quit.abort();
    await running;
  }
  return printed;
}

test("the demo agent pays from the vault that its owner chose, without money in the spending wallet", async () => {
  const printed = await untilPaid((owner, mandateId) => owner.signWithVault(mandateId));
  expect(printed.at(-1)).toMatch(/paid Data vendor 0\.25 USDC \(1 of 4\) {2}http/);
  expect(printed.join("\n")).not.toContain("waits for money");
});

test("the demo agent pays from the spending wallet once there is money in it", async () => {
  const printed = await untilPaid(async (owner, mandateId) => {
    await owner.signMandate(mandateId);
    await owner.deposit(1_000_000n);
  });
  expect(printed.at(-1)).toMatch(/paid Data vendor 0\.25 USDC \(1 of 4\) {2}http/);
});
