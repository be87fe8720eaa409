import { expect, test } from "vitest";
import { call } from "../support/http";
import { freshAddress, owned, pay } from "../support/mandates";
import { startReplica } from "../support/replica";
import { runService } from "../support/service";
import { vaultMandate } from "../support/vault-mandates";
import { outcome, vaultsIn } from "../support/vault-service";

/**
 * A server is killed with an operation of a vault that it has stored and not sent, or sent and not seen. Another one ends it, with the
 * transaction that was stored. runService checks every invariant after each test.
 */
const service = runService();
const { opened, paid, isIn, eventuallyHas, revocationBy, refusesVaults } = vaultsIn(service);
const LIMIT = 10_000_000n;

type Case = {
  /** Leaves the operation waiting, with the jobs stopped. */
  asked: () => Promise<{ mandateId: string; owned: () => Promise<bigint[]> }>;
  operations: string[];
  /** What the owner, the vault and its pocket have in the end. */
  balances: bigint[];
};

type Made = Awaited<ReturnType<typeof opened>>;

const stop = () => service.workers.stop();

function describeVault({ owner, vault, mandateId }: Pick<Made, "owner" | "vault" | "mandateId">) {
  const owned = async () => {
    const [row] = await service.opened.sql`select pocket from vaults where mandate_id = ${mandateId}`;
    const all = [owner.address, vault, ...(row?.pocket ? [row.pocket] : [])];
    return Promise.all(all.map((address) => service.world.balanceOf(address)));
  };
  return { mandateId, owned };
}

const notReady = async ({ agent, mandateId }: Made, amount: string) =>
  expect(outcome(await pay(agent, mandateId, { payTo: freshAddress(), amount }))).toEqual([503, "vault_not_ready"]);

const CASES: Record<string, Case> = {
  "an opening": {
    asked: async () => {
      await stop();
      return describeVault(await vaultMandate(service.world));
    },
    operations: ["open_and_fund done"],
    balances: [0n, LIMIT],
  },
  "an opening with a permit": {
    asked: async () => {
      await stop();
      return describeVault(await vaultMandate(service.world, {}, { funding: "permit" }));
    },
    operations: ["open_and_pull done"],
    balances: [9_000_000n, 1_000_000n],
  },
  "a pull": {
    asked: async () => {
      const vaultMandate = await opened({}, { funding: "permit" });
      await stop();
      await notReady(vaultMandate, "4000000");
      return describeVault(vaultMandate);
    },
    operations: ["open_and_pull done", "pull done"],
    balances: [6_000_000n, 4_000_000n],
  },
  "what fills a pocket": {
    asked: async () => {
      const vaultMandate = await opened();
      await refusesVaults(vaultMandate.mandateId);
      await stop();
      await notReady(vaultMandate, "2000000");
      return describeVault(vaultMandate);
    },
    operations: ["open_and_fund done", "fill_pocket done"],
    balances: [0n, 8_000_000n, 2_000_000n],
  },
  "a signed revocation": {
    asked: async () => {
      const vaultMandate = await opened();
      const vaultSignature = await revocationBy(vaultMandate.owner, vaultMandate.mandateId);
      await stop();
      await owned(vaultMandate.owner, vaultMandate.mandateId, "revoke", { vaultSignature });
      return describeVault(vaultMandate);
    },
    operations: ["open_and_fund done", "revoke_signed done"],
    balances: [LIMIT, 0n],
  },
  "a return of the rest": {
    asked: async () => {
      const vaultMandate = await opened();
      await stop();
      await owned(vaultMandate.owner, vaultMandate.mandateId, "revoke");
      return describeVault(vaultMandate);
    },
    operations: ["open_and_fund done", "return done"],
    balances: [LIMIT, 0n],
  },
};

const sentFor = (mandateId: string) => service.opened.sql`
  select t.nonce from vault_operations o join relayer_transactions t
    on (t.network, t.signer, t.nonce) = (o.network, o.signer, o.relayer_nonce)
  where o.mandate_id = ${mandateId} order by o.id`;

const transactions = async (): Promise<number> =>
  (await service.opened.sql`select 1 from relayer_transactions where network = 'base'`).length;

test.each(
  Object.keys(CASES).flatMap((description) => [
    [description, "relayer.stored"],
    [description, "relayer.sent"],
  ]),
)("%s, whose server process is killed at %s, is carried out once", async (description, place) => {
  const { asked, operations, balances } = CASES[description] as Case;
  const { mandateId, owned } = await asked();
  const transactionsBefore = await transactions();
  const doomed = await startReplica({ FAILPOINTS: `${place}=kill` });
  expect(await doomed.died).toBe("SIGKILL");
  const [last] = (await sentFor(mandateId)).slice(-1);
  expect(await transactions()).toBe(transactionsBefore + 1);
  service.workers.start();
  await eventuallyHas(mandateId, operations);
  expect(await owned()).toEqual(balances);
  // By the transaction that was stored before the kill, and no other.
  expect((await sentFor(mandateId)).slice(-1)).toEqual([last]);
  expect(await transactions()).toBe(transactionsBefore + 1);
});

test("a payment waits while the server that opens its vault is killed, and the next server makes the payment", async () => {
  await stop();
  const { agent, mandateId } = await vaultMandate(service.world);
  const doomed = await startReplica({ FAILPOINTS: "relayer.sent=kill" });
  expect(await doomed.died).toBe("SIGKILL");
  expect(outcome(await call("GET", `/api/mandates/agent/${mandateId}`, { bearer: agent.jwt }))).toEqual([200, "ok"]);
  expect(outcome(await pay(agent, mandateId))).toEqual([503, "vault_not_ready"]);
  service.workers.start();
  await isIn(mandateId, "open");
  await paid(agent, mandateId);
});
