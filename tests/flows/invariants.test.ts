import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { violations } from "@/lib/dev/invariants";
import { settle } from "@/lib/settlements/service";
import { claimFrom, cranks, freshAddress, openSystem, randomNonce } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let opened: ReturnType<typeof openSystem>;
const payees: Address[] = [freshAddress(), freshAddress()];

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  opened = openSystem();
  const crank = await cranks(opened.system);
  await crank.observe();
  const [payer] = world.accounts;
  if (!payer) throw new Error("no accounts");
  await world.mint(payer.address, 1_000_000n);
  // Mined together, so that one receipt shows both.
  await world.setAutomine(false);
  for (const payee of payees) await settle(opened.system, claimFrom(payer, payee, 1_000n), 0);
  await crank.relay();
  await world.setAutomine(true);
  await crank.drain();
});

afterAll(async () => {
  await opened?.close();
  await world?.stop();
});

const found = async () => (await violations(opened.system, ["base"])).filter(({ invariant }) => /^I4 /.test(invariant));
const CREDIT = "I4 every credit is a transfer on base";
const MOVED = "I4 every transfer of ours on base is credited";

test("what was settled and credited as the chain shows it holds", async () => {
  const rows = await opened.sql`select distinct tx_hash from ledger_entries where account = any(${payees})`;
  expect(rows).toHaveLength(1);
  expect(await violations(opened.system, ["base"])).toEqual([]);
});

test.each<[string, string, string[]]>([
  ["to another account", `account = '${freshAddress()}'`, [CREDIT]],
  ["of another amount", "amount = amount + 1", [CREDIT]],
  ["by a transaction that is not on the chain", `tx_hash = '${randomNonce()}'`, [CREDIT]],
  ["by another authorization", `nonce = '${randomNonce()}'`, [CREDIT, MOVED]],
])("a credit %s is found", async (_, change, expected) => {
  const [entry] = await opened.sql`
    select * from ledger_entries where account = ${payees[1] ?? ""} and side = 'credit'`;
  await opened.sql.unsafe(`update ledger_entries set ${change} where account = $1`, [payees[1] ?? ""]);
  const broken = await found();
  await opened.sql`delete from ledger_entries where payer = ${entry?.payer} and block_hash = ${entry?.block_hash}
    and side = 'credit' and account <> ${payees[0] ?? ""}`;
  await opened.sql`insert into ledger_entries ${opened.sql(entry ?? {})}`;
  expect(broken.map(({ invariant, count }) => [invariant, count])).toEqual(expected.map((invariant) => [invariant, 1]));
  expect(await found()).toEqual([]);
});

test("a transfer of ours that was read and not credited is found", async () => {
  const taken = await opened.sql`delete from ledger_entries where account = ${payees[0] ?? ""} returning *`;
  const broken = await found();
  await opened.sql`insert into ledger_entries ${opened.sql(taken)}`;
  expect(broken).toMatchObject([{ invariant: MOVED, count: 1 }]);
});
