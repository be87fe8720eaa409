import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeJwt } from "jose";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ENTRY } from "@/dev/local/build";
import type { ControlAnswer } from "@/lib/platform/control";
import { newAgent } from "../support/actors";
import { serverPort } from "../support/base-url";
import { pay, signedMandate } from "../support/mandates";
import { ended, funded, payout, requestPayout } from "../support/payouts";
import { runService } from "../support/service";
import { control, server } from "../support/wiring";

const service = runService();

afterEach(async () => {
  await control({ do: "clock", aheadMs: 0 });
  await control({ do: "disarm", failpoint: "payment.reserved" });
});

describe("over the control socket, a test", () => {
  let paying: Awaited<ReturnType<typeof signedMandate>>;
  beforeAll(async () => {
    paying = await signedMandate();
  });
  const payOnce = () => pay(paying.agent, paying.mandateId, { amount: "1" });

  test("moves the clock of the service, and no other clock", async () => {
    await control({ do: "clock", aheadMs: 3_600_000 });
    const ahead = (decodeJwt((await newAgent()).jwt).iat ?? 0) - Date.now() / 1000;
    expect(Math.abs(ahead - 3_600)).toBeLessThan(30);
    expect(await payOnce()).toMatchObject({ status: 401, body: { code: "invalid_or_expired_jwt" } });
    await control({ do: "clock", aheadMs: 0 });
    expect((await payOnce()).status).toBe(200);
  });

  test("arms and disarms a failpoint", async () => {
    await control({ do: "arm", failpoint: "payment.reserved", action: "throw" });
    expect((await payOnce()).status).toBe(500);
    expect((await payOnce()).status).toBe(500);
    expect((await control({ do: "figures" })).figures?.failpointHits).toEqual({ "payment.reserved": 2 });
    await control({ do: "disarm", failpoint: "payment.reserved" });
    expect((await payOnce()).status).toBe(200);
  });

  test("holds code at a failpoint until the test releases it", async () => {
    await control({ do: "arm", failpoint: "payment.reserved", action: "hold" });
    let isAnswered = false;
    const held = payOnce().finally(() => {
      isAnswered = true;
    });
    const hits = async () => (await control({ do: "figures" })).figures?.failpointHits["payment.reserved"];
    while ((await hits()) === 0) await sleep(1);
    expect(isAnswered).toBe(false);
    await control({ do: "disarm", failpoint: "payment.reserved" });
    expect((await held).status).toBe(200);
  });

  test("delays code at a failpoint for a given time", async () => {
    await control({ do: "arm", failpoint: "payment.reserved", action: "sleep:400" });
    const began = performance.now();
    expect((await payOnce()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(400);
  });

  test("stops the background jobs and starts them again", async () => {
    await funded(service.world, paying.owner);
    await service.workers.stop();
    await requestPayout(paying.agent, { ...payout(), payoutId: "waits", mandateId: paying.mandateId });
    const states = () => service.opened.sql`select state from settlements where purpose = 'payout'`;
    expect(await states()).toMatchObject([{ state: "claimed" }]);
    const holders = await service.opened.sql`select name from leases where expires_at > now()`;
    expect(holders).toEqual([]);
    service.workers.start();
    expect((await ended(paying.agent, "waits")).status).toBe("succeeded");
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "1"],
    ["an unknown verb", '{"id":7,"do":"exit"}'],
    ["an unknown failpoint", '{"id":7,"do":"arm","failpoint":"x","action":"kill"}'],
    ["an unknown action", '{"id":7,"do":"arm","failpoint":"relayer.sent","action":"explode"}'],
    ["a member too many", '{"id":7,"do":"figures","and":1}'],
  ])("gets an error for %s, and can continue", async (_, line) => {
    const { controlSocket } = await server();
    const socket = connect(controlSocket);
    socket.end(`${line}\n{"id":8,"do":"figures"}\n`);
    const responses: ControlAnswer[] = (await text(socket))
      .trim()
      .split("\n")
      .map((each): ControlAnswer => JSON.parse(each));
    expect(responses.find(({ id }) => id !== 8)?.error).toEqual(expect.any(String));
    expect(responses.find(({ id }) => id === 8)?.figures?.heapBytes).toBeGreaterThan(0);
  });
});

test.each([
  ["CONTROL_SOCKET", join(tmpdir(), `tessera-refused-${process.pid}.sock`)],
  ["FAILPOINTS", "relayer.sent=kill"],
])("a server in production mode does not start with the test setting %s", async (name, value) => {
  const { CONTROL_SOCKET: _, FAILPOINTS: __, ...env } = process.env;
  const child = spawn(process.execPath, ENTRY, {
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...env,
      NODE_ENV: "production",
      NODE_OPTIONS: "",
      MODE: "production",
      PORT: String(await serverPort()),
      [name]: value,
    } as NodeJS.ProcessEnv,
  });
  const said = text(child.stderr);
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
  expect(await said).toContain(`${name}: only for tests, refused in production mode`);
  expect(existsSync(value)).toBe(false);
});
