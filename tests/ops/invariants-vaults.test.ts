import { beforeAll, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { vaultSignature } from "@/lib/vaults/payments";
import { signAuthorization } from "@/lib/x402/signature";
import { violations } from "@/ops/invariants";
import type { TestAgent, TestOwner } from "../support/actors";
import { freshAddress } from "../support/mandates";
import { runService } from "../support/service";
import { claimFrom } from "../support/system";
import { submitDirectly } from "../support/token";
import { claimOf, eventually } from "../support/vault-mandates";
import { vaultsIn } from "../support/vault-service";

const service = runService();
const { opened, paid, readAgain } = vaultsIn(service);
let mandate: { owner: TestOwner; agent: TestAgent; mandateId: string; vault: Address };

const MOVED = "I21 what left a vault on base is what was paid from it, or went home";
const RELEASED = "I21 a vault on base has signed no more than it had released by then";
const READ = "I21 what was read of a vault on base is what the chain has at that block";

const violatedNames = async () =>
  (await violations(service.opened.system, ["base"]))
    .map(({ invariant }) => invariant)
    .filter((invariant) => invariant.startsWith("I21"));

/** Once the observer has read the newest block, and the vault at it. */
async function caughtUp(): Promise<void> {
  const head = await service.world.client().getBlockNumber();
  await eventually(
    async () => BigInt((await readAgain(mandate.mandateId)).read_block ?? 0) >= head || null,
    "the reading",
  );
}

async function payFrom({ agent, mandateId }: typeof mandate, payTo: Address, amount: string): Promise<void> {
  const { body } = await paid(agent, mandateId, { payTo, amount });
  await submitDirectly(service.world, claimOf(body));
}

/** The owner withdraws a part with the owner's signature. */
async function takeHome({ owner, vault }: typeof mandate, atomic: bigint): Promise<void> {
  const claim = claimFrom(service.payer(), owner.address, atomic);
  const authorization = { ...claim.authorization, from: vault, value: toUsdc(atomic) };
  const own = signAuthorization("base", authorization, owner.privateKey);
  const signature = vaultSignature(authorization, { signature: own, agentSignature: null, proof: null });
  await submitDirectly(service.world, { ...claim, authorization, signature });
}

beforeAll(async () => {
  const release = { amount: "3000000", seconds: 86_400 };
  mandate = await opened({ vault: { release }, validForSeconds: 300_000 });
});

describe("the stored sums of a vault", () => {
  test("agree with the chain after payments to any payee and withdrawals", async () => {
    const { owner, vault } = mandate;
    await payFrom(mandate, freshAddress(), "1000000");
    await payFrom(mandate, owner.address, "200000");
    await payFrom(mandate, vault, "100000");
    await takeHome(mandate, 500_000n);
    expect(await service.world.balanceOf(vault)).toBe(8_300_000n);
    await caughtUp();
    expect(await violatedNames()).toEqual([]);
  });

  test.each<[string, string, string, string[]]>([
    ["a payment that the chain did not make by then", "reservations", "block_number = 1000000000", [MOVED]],
    ["a payment of another sum", "reservations", "amount = amount + 1", [MOVED]],
    ["a release that is smaller than what was signed", "vaults", "release_amount = 1000000", [RELEASED]],
    ["a payment signed before its money was released", "vaults", "starts_at = starts_at + 86400", [RELEASED]],
    ["another balance", "vaults", "balance = balance + 1", [READ]],
    ["another count", "vaults", "funded = funded - 1", [READ]],
    ["other spending", "vaults", "spent = spent + 1", [READ]],
    ["a revocation that is not on the chain", "vaults", "is_revoked = true", [READ]],
    ["an allowance that the owner has not given", "vaults", "allowance = 1", [READ]],
  ])("are reported when they are wrong: %s", async (_, table, change, expected) => {
    await service.workers.stop();
    const { sql } = service.opened;
    const rows = await sql`select * from ${sql(table)} where mandate_id = ${mandate.mandateId}`;
    await sql.unsafe(`update ${table} set ${change} where mandate_id = $1`, [mandate.mandateId]);
    const broken = await violatedNames();
    for (const row of rows) {
      const key = table === "vaults" ? "mandate_id" : "id";
      const { id: __, ...columns } = row;
      await sql`update ${sql(table)} set ${sql(columns)} where ${sql(key)} = ${row[key]}`;
    }
    expect([broken, await violatedNames()]).toEqual([expected, []]);
    service.workers.start();
  });

  test("agree with the chain after others send money, as for a refund", async () => {
    await service.world.mint(mandate.vault, 700_000n);
    await caughtUp();
    expect(await violatedNames()).toEqual([]);
    // More than the contract tolerates uncounted.
    await service.world.mint(mandate.vault, 5_000_000n);
    await eventually(
      async () => BigInt((await readAgain(mandate.mandateId)).funded) > 10_000_000n || null,
      "the count",
    );
    await payFrom(mandate, freshAddress(), "1000000");
    await caughtUp();
    expect(await violatedNames()).toEqual([]);
  });
});
