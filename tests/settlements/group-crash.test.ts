import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { arm } from "@/lib/platform/failpoint";
import { type Claim, claimTogether } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { type Replica, startReplica, until } from "../support/replica";
import { claimFrom, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const GROUPS = 3;
const LEGS = 4;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
const replicas: Replica[] = [];

beforeAll(async () => {
  world = await createWorld({ relayerCount: 2 });
  testSystem = openSystem();
  // This process never receives the results of its claims.
  arm("settlement.claimed", "throw");
  const [payer] = world.accounts;
  if (payer) await world.mint(payer.address, 1_000_000n);
});

beforeEach(async () => {
  const first = await start();
  await until(caughtUp, "the observer to read the chain");
  await first.kill();
  // The killed server's leases expire.
  await until(async () => {
    const [held] = await testSystem.sql`select 1 from leases where expires_at > now() limit 1`;
    return held === undefined;
  }, "the leases");
});

afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.kill()));
  await testSystem?.close();
  await world?.stop();
});

async function start(failpoints = "") {
  const replica = await startReplica({ FAILPOINTS: failpoints });
  replicas.push(replica);
  return replica;
}

const caughtUp = async () => {
  const [row] = await testSystem.sql`select block_number from chain_cursors where network = 'base'`;
  return row !== undefined && BigInt(row.block_number) >= (await world.client().getBlockNumber());
};

const rowsOf = (claims: Claim[]) =>
  testSystem.sql`select * from settlements where nonce = any(${claims.map((claim) => claim.authorization.nonce)}) order by id`;

test.each(["relayer.signed", "relayer.stored", "relayer.sent", "observer.read", "observer.applied"])(
  "payment groups whose claim response was lost, and whose relaying process is killed at %s, move as a whole and once",
  async (place) => {
    const [payer] = world.accounts;
    if (!payer) throw new Error("no accounts");
    const groups = Array.from({ length: GROUPS }, () =>
      Array.from({ length: LEGS }, () => claimFrom(payer, freshAddress(), 1_000n)),
    );
    const doomed = await start(`${place}=kill`);
    for (const claims of groups) {
      const together = () => claimTogether(testSystem.system, claims as [Claim, ...Claim[]], async () => {});
      await expect(together()).rejects.toThrow("failpoint settlement.claimed");
      const [first] = await rowsOf(claims);
      await expect(together()).rejects.toMatchObject({
        code: "PAYMENT_ALREADY_USED",
        details: { settlementId: first?.id },
      });
    }
    expect(await doomed.died).toBe("SIGKILL");
    const healthy = await start();
    for (const claims of groups) {
      await until(async () => (await rowsOf(claims)).every((row) => row.state === "settled"), "the group to move");
      const rows = await rowsOf(claims);
      expect(rows).toHaveLength(LEGS);
      expect(new Set(rows.map((row) => row.tx_hash)).size).toBe(1);
      for (const { authorization } of claims) expect(await world.balanceOf(authorization.to)).toBe(1_000n);
    }
    await until(caughtUp, "the observer to read the chain");
    expect(await violations(testSystem.system, ["base"])).toEqual([]);
    await healthy.kill();
  },
);
