import { describe, expect, test } from "vitest";
import type { Usdc } from "@/lib/core/money";
import * as store from "@/lib/mandates/vaults/store";
import { signedVault } from "@/lib/mandates/vaults/terms";
import { openAndFundCall } from "@/lib/vaults/calls";
import type { TestOwner } from "../support/actors";
import { freshAddress, type Json, owned, pay } from "../support/mandates";
import { runService } from "../support/service";
import { submitDirectly } from "../support/token";
import { claimOf, eventually, vaultMandate } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

/** Blocks with operations of vaults are replaced by empty ones; runService checks every invariant after each test. */
const service = runService();
const vaults = vaultsIn(service);
const { opened, paid, isIn, rowOf, readAgain, mandateOf, operationsOf } = vaults;
const { eventuallyHas, revocationBy, refusesVaults } = vaults;

const unwound = async (): Promise<number> =>
  (await service.opened.sql`select 1 from events where type = 'chain.reorganised'`).length;

/** Replaces the newest blocks with transactions, and mines no further transaction before `inBetween` has ended. */
async function replaced(inBetween: () => Promise<void>, blocks = 1): Promise<void> {
  const unwoundBefore = await unwound();
  await service.world.setAutomine(false);
  await service.world.reorg(blocks);
  // The empty blocks are as old as the one before them, and no vault is opened before the chain's time has reached its start.
  await service.world.setTime(new Date());
  try {
    await eventually(async () => (await unwound()) > unwoundBefore || null, "the reorganisation to be seen");
    await inBetween();
  } finally {
    await service.world.setAutomine(true);
  }
}

const balances = async ({ address }: TestOwner, vault: Parameters<typeof service.world.balanceOf>[0]) => [
  await service.world.balanceOf(address),
  await service.world.balanceOf(vault),
];

/** Its operations, when the vault was read again and they were sent again. */
const afterReading = async (mandateId: string): Promise<string[]> => {
  await readAgain(mandateId);
  return eventually(async () => {
    const operations = await operationsOf(mandateId);
    return operations.some((operation) => operation.endsWith(" waiting")) ? null : operations;
  }, "the operations to be sent");
};

describe("the opening of a vault in a block that is replaced", () => {
  test("is sent again, and funds the vault once", async () => {
    const { owner, agent, mandateId, vault } = await opened();
    await replaced(async () => {
      expect(await afterReading(mandateId)).toEqual(["open_and_fund sent"]);
      expect(await rowOf(mandateId)).toMatchObject({ state: "opening", is_deployed: false, balance: "0", funded: "0" });
      expect(outcome(await pay(agent, mandateId))).toEqual([503, "vault_not_ready"]);
    });
    await isIn(mandateId, "open");
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund done"]);
    expect(await balances(owner, vault)).toEqual([0n, 10_000_000n]);
    await paid(agent, mandateId);
  });

  test("with a permit draws its first tranche once", async () => {
    const { owner, mandateId, vault } = await opened({}, { funding: "permit" });
    // No tranche, if the newest block was older than the terms.
    const [before, { funded, allowance }] = [await balances(owner, vault), await rowOf(mandateId)];
    await replaced(async () => {
      expect(await afterReading(mandateId)).toEqual(["open_and_pull sent"]);
      expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
    });
    await isIn(mandateId, "open");
    expect(await operationsOf(mandateId)).toEqual(["open_and_pull done"]);
    expect(await balances(owner, vault)).toEqual(before);
    expect(await rowOf(mandateId)).toMatchObject({ funded, allowance });
  });

  test("gives the money back if the owner revokes before the opening is mined again", async () => {
    const { owner, agent, mandateId, vault } = await opened();
    await replaced(async () => {
      await readAgain(mandateId);
      await owned(owner, mandateId, "revoke");
      expect(outcome(await pay(agent, mandateId))[1]).toBe("mandate_revoked");
    });
    // The opening's transaction was public, so it is mined again; its money is returned to the owner.
    await isIn(mandateId, "closed");
    expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
  });

  test("is sent by the service if somebody else had made it before", async () => {
    await service.workers.stop();
    const { owner, mandateId, vault } = await vaultMandate(service.world);
    const { sql, system } = service.opened;
    const [operation] = (await sql`select * from vault_operations where mandate_id = ${mandateId}`) as Json[];
    const row = await store.find(system.db, mandateId as never);
    if (!row) throw new Error("no vault");
    const { terms } = signedVault(row);
    const funding = {
      value: BigInt(operation.amount) as Usdc,
      validAfter: 0n,
      validBefore: BigInt(operation.valid_before),
      nonce: terms.mandate,
      signature: operation.signature,
    };
    const { to, data } = openAndFundCall(terms, funding);
    await service.world.client().sendTransaction({ account: service.payer(8).address, chain: null, to, data });
    await service.world.mine();
    expect(await balances(owner, vault)).toEqual([0n, 10_000_000n]);
    service.workers.start();
    await isIn(mandateId, "open");
    await replaced(async () => {
      expect((await afterReading(mandateId))[0]).toBe("open_and_fund sent");
      expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
    });
    await eventuallyHas(mandateId, ["open_and_fund done"]);
    expect(await balances(owner, vault)).toEqual([0n, 10_000_000n]);
  });
});

describe("a pull from the owner's wallet in a block that is replaced", () => {
  test("draws its tranche again, once, and the payment that needed it is made", async () => {
    const { owner, agent, mandateId, vault } = await opened({}, { funding: "permit" });
    const { funded, balance } = await rowOf(mandateId);
    const payTo = freshAddress();
    const { body } = await paid(agent, mandateId, { payTo, amount: "4000000" });
    const drawn = ["open_and_pull done", "pull done"];
    expect(await operationsOf(mandateId)).toEqual(drawn);
    await replaced(async () => {
      expect(await afterReading(mandateId)).toEqual(["open_and_pull done", "pull sent"]);
      expect(await rowOf(mandateId)).toMatchObject({ state: "open", funded, balance });
      // The signed payment still counts: nothing is left for a second one.
      expect(outcome(await pay(agent, mandateId, { amount: "1000000" }))).toEqual([503, "vault_not_ready"]);
    });
    await eventuallyHas(mandateId, drawn);
    const row = await rowOf(mandateId);
    expect(await balances(owner, vault)).toEqual([10_000_000n - BigInt(row.funded), BigInt(row.funded)]);
    await submitDirectly(service.world, claimOf(body));
    expect(await service.world.balanceOf(payTo)).toBe(4_000_000n);
    await eventually(
      async () => ((await mandateOf(agent, mandateId)).spentAmount === "4000000" ? true : null),
      "spent",
    );
  });

  test("is made again together with the payment in the next block", async () => {
    const { agent, mandateId } = await opened({}, { funding: "permit" });
    const payTo = freshAddress();
    const { body } = await paid(agent, mandateId, { payTo, amount: "4000000" });
    await submitDirectly(service.world, claimOf(body));
    const isSpent = (sum: string) =>
      eventually(async () => ((await mandateOf(agent, mandateId)).spentAmount === sum ? true : null), `spent ${sum}`);
    await isSpent("4000000");
    await replaced(async () => {
      await isSpent("0");
      expect(await afterReading(mandateId)).toEqual(["open_and_pull done", "pull sent"]);
      expect(await service.world.balanceOf(payTo)).toBe(0n);
    }, 2);
    await eventuallyHas(mandateId, ["open_and_pull done", "pull done"]);
    await submitDirectly(service.world, claimOf(body));
    await isSpent("4000000");
    expect(await service.world.balanceOf(payTo)).toBe(4_000_000n);
  });
});

describe("the filling of a pocket in a block that is replaced", () => {
  /** A vault that has filled its pocket with a payment, which is signed. */
  async function filled() {
    const vaultMandate = await opened();
    await refusesVaults(vaultMandate.mandateId);
    const payTo = freshAddress();
    const { body: proof } = await paid(vaultMandate.agent, vaultMandate.mandateId, { payTo, amount: "2000000" });
    const { pocket } = await rowOf(vaultMandate.mandateId);
    expect(proof.xPayment.payload.authorization.from).toBe(pocket);
    return { ...vaultMandate, payTo, proof, pocket };
  }

  test("is made again, once, and the seller is paid", async () => {
    const { mandateId, vault, payTo, proof, pocket } = await filled();
    await replaced(async () => {
      expect((await afterReading(mandateId)).at(-1)).toBe("fill_pocket sent");
      expect(await rowOf(mandateId)).toMatchObject({ balance: "10000000", pocket_balance: "0" });
    });
    await eventuallyHas(mandateId, ["open_and_fund done", "fill_pocket done"]);
    const { world } = service;
    expect([await world.balanceOf(vault), await world.balanceOf(pocket)]).toEqual([8_000_000n, 2_000_000n]);
    await submitDirectly(world, claimOf(proof));
    expect([await world.balanceOf(payTo), await world.balanceOf(pocket)]).toEqual([2_000_000n, 0n]);
  });

  test("is made once even if the seller's proof spends the money before the service reads the block again", async () => {
    const { world } = service;
    const { agent, mandateId, vault, payTo, proof, pocket } = await filled();
    await submitDirectly(world, claimOf(proof));
    await eventually(async () => ((await readAgain(mandateId)).pocket_balance === "0" ? true : null), "it is spent");
    await service.workers.stop();
    await world.setAutomine(false);
    await world.reorg(2);
    // The service sees neither block before both are there again.
    await world.setAutomine(true);
    const [raw] = await service.opened.sql`
      select a.raw from relayer_attempts a join vault_operations o on o.signer = a.signer and o.relayer_nonce = a.nonce
      where o.mandate_id = ${mandateId} and o.kind = 'fill_pocket' order by a.created_at desc`;
    await world.client().sendRawTransaction({ serializedTransaction: raw?.raw });
    await world.mine();
    expect(await world.balanceOf(pocket)).toBe(2_000_000n);
    await submitDirectly(world, claimOf(proof));
    service.workers.start();
    await eventuallyHas(mandateId, ["open_and_fund done", "fill_pocket done"]);
    expect([await world.balanceOf(vault), await world.balanceOf(payTo)]).toEqual([8_000_000n, 2_000_000n]);
    await eventually(
      async () => ((await mandateOf(agent, mandateId)).spentAmount === "2000000" ? true : null),
      "spent",
    );
    expect(await world.balanceOf(pocket)).toBe(0n);
  });
});

describe("the end of a mandate in a block that is replaced", () => {
  test("is revoked on the chain again, and nothing is paid in between", async () => {
    const { owner, agent, mandateId, vault } = await opened();
    const { body } = await paid(agent, mandateId, { payTo: freshAddress(), amount: "1000000" });
    await owned(owner, mandateId, "revoke", { vaultSignature: await revocationBy(owner, mandateId) });
    await isIn(mandateId, "closed");
    await replaced(async () => {
      expect(await afterReading(mandateId)).toEqual(["open_and_fund done", "revoke_signed sent"]);
      expect(await rowOf(mandateId)).toMatchObject({ state: "closing", is_revoked: false, balance: "10000000" });
      expect(outcome(await pay(agent, mandateId))[1]).toBe("mandate_revoked");
    });
    await isIn(mandateId, "closed");
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund done", "revoke_signed done"]);
    expect(await rowOf(mandateId)).toMatchObject({ is_revoked: true, balance: "0" });
    expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
    await submitDirectly(service.world, claimOf(body)).catch(() => {});
    expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
  });

  test("sends the rest to the owner again", async () => {
    const { owner, mandateId, vault } = await opened();
    await owned(owner, mandateId, "revoke");
    await isIn(mandateId, "closed");
    await replaced(async () => {
      expect(await afterReading(mandateId)).toEqual(["open_and_fund done", "return sent"]);
      expect(await rowOf(mandateId)).toMatchObject({ state: "closing", balance: "10000000" });
    });
    await isIn(mandateId, "closed");
    expect(await operationsOf(mandateId)).toEqual(["open_and_fund done", "return done"]);
    expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
  });

  test("ends the same way when the opening before it is replaced by the same reorganisation", async () => {
    const { owner, mandateId, vault } = await opened();
    await owned(owner, mandateId, "revoke", { vaultSignature: await revocationBy(owner, mandateId) });
    await isIn(mandateId, "closed");
    await replaced(async () => {
      expect(await afterReading(mandateId)).toEqual(["open_and_fund sent", "revoke_signed sent"]);
    }, 2);
    await eventuallyHas(mandateId, ["open_and_fund done", "revoke_signed done"]);
    await isIn(mandateId, "closed");
    expect(await balances(owner, vault)).toEqual([10_000_000n, 0n]);
  });
});

test("the events of a vault are recorded once for each time that the chain shows them", async () => {
  const { mandateId } = await opened();
  const vaultEvents = async (): Promise<Json[]> => [
    ...(await service.opened.sql`select type from events where subject = ${mandateId} and type like 'vault.%'`),
  ];
  expect(await vaultEvents()).toEqual([{ type: "vault.opened" }]);
  await replaced(async () => void (await readAgain(mandateId)));
  await isIn(mandateId, "open");
  await readAgain(mandateId);
  expect(await vaultEvents()).toEqual([{ type: "vault.opened" }, { type: "vault.opened" }]);
});

test("what the service writes about a block while that block is replaced does not stay in the database", async () => {
  const { mandateId } = await opened();
  const { balance } = await readAgain(mandateId);
  const { sql } = service.opened;
  const isWaiting = async () => {
    const waiting = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from "chain_blocks"%'`;
    return waiting.length > 0 || null;
  };
  const readUpTo = async () => {
    const [row] = await sql`select block_number as block from chain_cursors where network = 'base'`;
    return BigInt(row?.block);
  };
  await service.world.setAutomine(false);
  const { address } = service.payer(8);
  await service.world.client().sendTransaction({ account: address, chain: null, to: address });
  await service.world.mine();
  const block = await service.world.client().getBlockNumber();
  await eventually(async () => ((await readUpTo()) === block ? true : null), "the block to be read");
  await sql`update vaults set read_block = ${String(block - 1n)}, is_stale = false, read_at = now() where mandate_id = ${mandateId}`;
  await sql.begin(async (tx) => {
    await tx`select 1 from chain_blocks where network = 'base' and number = ${String(block)} for key share`;
    await tx`update vaults set read_block = ${String(block)}, balance = 1 where mandate_id = ${mandateId}`;
    await service.world.reorg(1);
    await eventually(isWaiting, "the observer to wait for the reading");
  });
  await eventually(async () => ((await rowOf(mandateId)).balance === balance ? true : null), "it to be read again");
  await service.world.setAutomine(true);
});
