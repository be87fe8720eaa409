import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { claimFrom, cranks, freshAddress, openSystem, randomNonce } from "../support/system";
import { submitDirectly } from "../support/token";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
const payees: Address[] = [freshAddress(), freshAddress()];

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  testSystem = openSystem();
  const crank = await cranks(testSystem.system);
  await crank.observe();
  const [payer] = world.accounts;
  if (!payer) throw new Error("no accounts");
  await world.mint(payer.address, 1_000_000n);
  // Mined together, so that one receipt contains both.
  await world.setAutomine(false);
  for (const payee of payees) await settle(testSystem.system, claimFrom(payer, payee, 1_000n), 0);
  await crank.relay();
  await world.setAutomine(true);
  await crank.drain();
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

const readViolations = async () =>
  (await violations(testSystem.system, ["base"])).filter(({ invariant }) => /^I4 /.test(invariant));
const CREDIT = "I4 every credit is a transfer on base";
const MOVED = "I4 every transfer of the service on base is credited";

test("the invariants report nothing when settlements and credits agree with the chain", async () => {
  const rows = await testSystem.sql`select distinct tx_hash from ledger_entries where account = any(${payees})`;
  expect(rows).toHaveLength(1);
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

test.each<[string, string, string[]]>([
  ["to another account", `account = '${freshAddress()}'`, [CREDIT]],
  ["of another amount", "amount = amount + 1", [CREDIT]],
  ["by a transaction that is not on the chain", `tx_hash = '${randomNonce()}'`, [CREDIT]],
  ["by another authorization", `nonce = '${randomNonce()}'`, [CREDIT, MOVED]],
])("the invariants report a credit %s", async (_, change, expected) => {
  const [entry] = await testSystem.sql`
    select * from ledger_entries where account = ${payees[1] ?? ""} and side = 'credit'`;
  await testSystem.sql.unsafe(`update ledger_entries set ${change} where account = $1`, [payees[1] ?? ""]);
  const broken = await readViolations();
  await testSystem.sql`delete from ledger_entries where payer = ${entry?.payer} and block_hash = ${entry?.block_hash}
    and side = 'credit' and account <> ${payees[0] ?? ""}`;
  await testSystem.sql`insert into ledger_entries ${testSystem.sql(entry ?? {})}`;
  expect(broken.map(({ invariant, count }) => [invariant, count])).toEqual(expected.map((invariant) => [invariant, 1]));
  expect(await readViolations()).toEqual([]);
});

test("the invariants report a transfer of the service that was observed and not credited", async () => {
  const taken = await testSystem.sql`delete from ledger_entries where account = ${payees[0] ?? ""} returning *`;
  const broken = await readViolations();
  await testSystem.sql`insert into ledger_entries ${testSystem.sql(taken)}`;
  expect(broken).toMatchObject([{ invariant: MOVED, count: 1 }]);
});

test("the invariants report a transfer out of a spending wallet that the database does not know", async () => {
  const [, payer] = world.accounts;
  if (!payer) throw new Error("no second account");
  await world.mint(payer.address, 1_000n);
  await submitDirectly(world, claimFrom(payer, freshAddress(), 1_000n));
  await (await cranks(testSystem.system)).observe();
  const readViolations = async () => (await violations(testSystem.system, ["base"])).map(({ invariant }) => invariant);
  expect(await readViolations()).toEqual([]);
  await testSystem.sql`insert into owners (id, address, created_at, last_sign_in_at) values ('own_18', ${payer.address}, now(), now())`;
  await testSystem.sql`insert into wallets (id, owner_id, network, purpose, address, sealed_key, created_at)
    values ('wal_18', 'own_18', 'base', 'spending', ${payer.address}, '', now())`;
  const broken = await readViolations();
  await testSystem.sql`delete from wallets where id = 'wal_18'`;
  expect(broken).toEqual(["I18 every transfer out of a spending wallet or vault on base is in the database"]);
});

const VOID = "I17 what is void on base never moved and never can";
const isFound = async () => (await violations(testSystem.system, ["base"])).some(({ invariant }) => invariant === VOID);

test("the invariants report a void settlement whose transfer is on the chain", async () => {
  const [payee = ""] = payees;
  await testSystem.sql`update settlements set state = 'void', failure_code = 'EXPIRED' where payee = ${payee}`;
  const broken = await isFound();
  await testSystem.sql`update settlements set state = 'settled', failure_code = null where payee = ${payee}`;
  expect([broken, await isFound()]).toEqual([true, false]);
});

test("the invariants report a void authorization that can still be used, but not an expired one", async () => {
  const change = { id: "void", nonce: randomNonce(), state: "void", failure_code: "EXPIRED", tx_hash: null };
  await testSystem.sql`insert into settlements overriding system value
    select (jsonb_populate_record(t, ${testSystem.sql.json(change)})).* from settlements t where payee = ${payees[0] ?? ""}`;
  const broken = await isFound();
  await testSystem.sql`update settlements set valid_before = 1 where id = 'void'`;
  const isFoundExpired = await isFound();
  await testSystem.sql`delete from settlements where id = 'void'`;
  expect([broken, isFoundExpired]).toEqual([true, false]);
});
