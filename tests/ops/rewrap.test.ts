import { afterAll, beforeAll, expect, test } from "vitest";
import { createVault } from "@/lib/platform/vault";
import { newAgent, newOwner } from "../support/actors";
import { call } from "../support/http";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const OLD = "11".repeat(32);
const NEW = "22".repeat(32);

let world: World;
let testSystem: ReturnType<typeof openSystem>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem({}, { MASTER_KEY: `${NEW},${OLD}` });
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const sealed = () => testSystem.sql<{ id: string; sealed: string }[]>`
  select id, sealed_key as sealed from wallets union all select kid, sealed_key from signing_keys
  union all select name, sealed_key from service_secrets
  union all select 'idempotency:' || scope || ':' || key_hash, sealed_body from idempotent_requests order by 1`;

const opens = (masterKey: string, row: { id: string; sealed: string }) => {
  try {
    return createVault([Buffer.from(masterKey, "hex")]).open(row.sealed, row.id);
  } catch {
    return null;
  }
};

test("after secrets are encrypted again with a new master key, each is unchanged and can be decrypted with the new key alone", async () => {
  const { jwt } = await newAgent();
  const { session } = await newOwner();
  const once = { bearer: jwt, headers: { "idempotency-key": "one" }, json: { amount: "1000" } };
  await call("POST", "/api/payment-links", once);
  await call("GET", "/api/wallet", { session });
  const sealedBefore = await sealed();
  const secrets = sealedBefore.map((row) => opens(OLD, row));
  expect(sealedBefore.length).toBeGreaterThanOrEqual(4);
  expect(sealedBefore.filter(({ id }) => id.startsWith("idempotency:"))).toHaveLength(1);

  const { rewrapSecrets } = await import("@/ops/rewrap-secrets");
  expect(await rewrapSecrets(testSystem.system)).toBe(sealedBefore.length);

  const sealedAfter = await sealed();
  expect(sealedAfter.map((row) => opens(NEW, row))).toEqual(secrets);
  expect(sealedAfter.map((row) => opens(OLD, row))).toEqual(sealedAfter.map(() => null));
  expect(await rewrapSecrets(testSystem.system)).toBe(0);
});

test("a secret that no configured master key decrypts stops the operation before any change", async () => {
  const sealedBefore = await sealed();
  const { rewrapSecrets } = await import("@/ops/rewrap-secrets");
  const vault = createVault([Buffer.from(OLD, "hex")]);

  await expect(rewrapSecrets({ ...testSystem.system, vault })).rejects.toThrow("no master key opens");

  expect(await sealed()).toEqual(sealedBefore);
});
