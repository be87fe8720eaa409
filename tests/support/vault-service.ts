import type { Hex } from "viem";
import { expect } from "vitest";
import artifacts from "@/dev/token/artifacts.json";
import type { Claim } from "@/lib/settlements/service";
import { NETWORKS } from "@/lib/x402/networks";
import { submission } from "@/lib/x402/submission";
import type { TestAgent, TestOwner } from "./actors";
import { call } from "./http";
import { type Json, pay, RESOURCE } from "./mandates";
import type { SharedService } from "./service";
import { submitDirectly } from "./token";
import { claimOf, eventually, type Funding, type VaultTerms, vaultMandate } from "./vault-mandates";

export type Answer = { status: number; body: Json; headers: Headers };

export const outcome = ({ status, body }: { status: number; body: unknown }) => [status, (body as Json).code ?? "ok"];

type TokenFunction = "pause" | "unpause" | "blacklist" | "unBlacklist" | "permit";

/** What tests of vaults do with a running service. */
export function vaultsIn(service: SharedService) {
  const stranger = () => service.payer(8).address;

  /** The seller of a signed payment refuses contracts as payers, and the agent says so. */
  async function refusedBySeller(agent: TestAgent, { paymentRecordId }: Json): Promise<void> {
    const json = { reason: "invalid_exact_evm_payload_signature" };
    const told = await call("POST", `/api/payments/${paymentRecordId}/refusal`, { bearer: agent.jwt, json });
    expect(told.body).toMatchObject({ refusesContracts: true });
  }

  const rowOf = async (id: string): Promise<Json> =>
    (await service.opened.sql`select * from vaults where mandate_id = ${id}`)[0];

  /** Without waiting for the minute after which a vault is read again. */
  const readAgain = async (id: string): Promise<Json> => {
    await service.opened.sql`update vaults set is_stale = true where mandate_id = ${id}`;
    return eventually(async () => {
      const row = await rowOf(id);
      return row.is_stale ? null : row;
    }, `${id} to be read`);
  };

  const isIn = (id: string, state: string): Promise<Json> =>
    eventually(async () => {
      const row = await readAgain(id);
      return row.state === state ? row : null;
    }, `${id} is ${state}`);

  async function openVault(terms: VaultTerms = {}, how: Funding = {}) {
    const vaultSetup = await vaultMandate(service.world, terms, how);
    await isIn(vaultSetup.mandateId, "open");
    return vaultSetup;
  }

  /** Oldest first. */
  const operationsOf = async (id: string): Promise<string[]> =>
    (await service.opened.sql`select kind, state from vault_operations where mandate_id = ${id} order by id`).map(
      ({ kind, state }) => `${kind} ${state}`,
    );

  return {
    rowOf,
    readAgain,
    isIn,
    opened: openVault,

    operationsOf,

    /** Waits until a reading shows these operations, oldest first. */
    eventuallyHas(id: string, operations: readonly string[]): Promise<true> {
      let last: string[] = [];
      return eventually(
        async () => {
          await readAgain(id);
          last = await operationsOf(id);
          return JSON.stringify(last) === JSON.stringify(operations) || null;
        },
        () => `${id} has ${operations.join(", ")}, and not ${last.join(", ")}`,
      );
    },

    /** The owner's signature that ends the mandate on the chain. */
    revocationBy: async (owner: TestOwner, id: string): Promise<Hex> => {
      const { body } = await call("GET", `/api/mandates/${id}/revocation`, { session: owner.session });
      return owner.account.signTypedData(body as never);
    },

    refusedBySeller,

    /** The agent has reported a refusal of the usual seller, and the proof has expired since. */
    async refusesVaults(id: string): Promise<void> {
      await service.opened
        .sql`insert into contract_refusals (owner_id, agent_id, network, host, reason, seen_at, is_witnessed)
        select owner_id, agent_id, network, ${new URL(RESOURCE).host}, 'signature', now(), false from mandates where id = ${id}`;
    },

    /** The usual seller refuses a payment of the vault, and takes its proof all the same: nothing is open there then. */
    async refusedOnce(agent: TestAgent, id: string): Promise<void> {
      const { body } = (await pay(agent, id)) as Answer;
      await refusedBySeller(agent, body);
      await submitDirectly(service.world, claimOf(body));
      await eventually(async () => {
        const { committed } = await readAgain(id);
        return committed === body.xPayment.payload.authorization.value ? true : null;
      }, "the refused payment is seen");
    },

    failureOf: async (id: string): Promise<string | null> =>
      (await service.opened.sql`select failure from vault_operations where mandate_id = ${id} order by id desc`)[0]
        ?.failure ?? null,

    mandateOf: async (agent: TestAgent, id: string): Promise<Json> =>
      (await call("GET", `/api/mandates/agent/${id}`, { bearer: agent.jwt })).body,

    /** The signed payment, once the vault has drawn what it takes. */
    paid: (agent: TestAgent, id: string, change: object = {}): Promise<Answer> =>
      eventually(async () => {
        const response = (await pay(agent, id, change)) as Answer;
        if (response.body.code === "vault_not_ready") return null;
        expect(outcome(response)).toEqual([200, "ok"]);
        return response;
      }, "the payment"),

    /** Calls the token as a stranger, who may do everything on this chain. */
    async token(functionName: TokenFunction, ...args: unknown[]): Promise<void> {
      const { usdc: address } = NETWORKS.base;
      const request = { account: stranger(), chain: null, address, abi: artifacts.TestDollar.abi, functionName, args };
      // An ABI from JSON has no static types.
      const hash = await service.world.client().writeContract(request as never);
      expect((await service.world.client().waitForTransactionReceipt({ hash })).status).toBe("success");
    },

    /** Submits them together, and mines one block. Returns which of them succeeded. */
    async inOneBlock(claims: readonly Claim[]): Promise<string[]> {
      const { world } = service;
      await world.setAutomine(false);
      const hashes: Hex[] = [];
      for (const { authorization, signature } of claims) {
        const sent = {
          account: stranger(),
          chain: null,
          gas: 300_000n,
          ...submission("base", authorization, signature),
        };
        hashes.push(await world.client().sendTransaction(sent));
      }
      await world.mine();
      const receipts = await Promise.all(hashes.map((hash) => world.client().waitForTransactionReceipt({ hash })));
      await world.setAutomine(true);
      expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1);
      return receipts.map(({ status }) => status);
    },
  };
}
