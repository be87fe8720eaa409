import { afterAll, beforeAll, expect, test } from "vitest";
import { accounts } from "../support/accounts";
import { newAgent } from "../support/actors";
import { call } from "../support/http";
import { linkedPair } from "../support/mandates";
import { claimFrom, cranks, openSystem, xPaymentOf } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let opened: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  opened = openSystem();
});

afterAll(async () => {
  const { closeSystem } = await import("@/lib/wiring");
  await closeSystem();
  await opened?.close();
  await world?.stop();
});

test("smoke", async () => {
  const pair = await linkedPair();
  console.log(Object.keys(pair), Object.keys(pair.agent ?? {}));
  const made = await call("POST", "/api/payment-links", {
    bearer: pair.agent.jwt,
    json: { amount: "1000000", description: "Report", resourceContent: "secret", maxUses: 1 },
  });
  console.log(made.status, made.text);
  const { paymentLink } = made.body as { paymentLink: { linkId: string; payTo: string } };
  const ask = await call("GET", `/paymentlink/${paymentLink.linkId}`);
  console.log(ask.status, ask.text);
  console.log((await call("GET", "/api/payment-links", { bearer: pair.agent.jwt })).text);
  expect(made.status).toBe(200);
});
