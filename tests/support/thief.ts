import type postgres from "postgres";
import type { Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import type { Address } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { pocketSealName } from "@/lib/mandates/vaults/keys";
import { readConfig } from "@/lib/platform/config";
import { createVault } from "@/lib/platform/vault";
import { type StipendedTransfer, settlerCall } from "@/lib/settlements/relayer/settler";
import { openAndFundCall, openAndPullCall, pullCall } from "@/lib/vaults/calls";
import { vaultSignature } from "@/lib/vaults/payments";
import { releasedBy, type Terms, vaultAddress } from "@/lib/vaults/terms";
import { pullDigest } from "@/lib/vaults/typed-data";
import type { Authorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import { signAuthorization, signDigest } from "@/lib/x402/signature";
import type { Json } from "./mandates";
import { freshAddress, randomNonce } from "./system";
import { openCall } from "./vault-calls";
import { listOf } from "./vaults";
import type { World } from "./world";

type Call = { to: Address; data: Hex };
/** `agentKey`: what the thief signs with for the agent. `terms`: of a mandate that its owner has not signed. */
type Plunder = { to?: Address; agentKey?: Hex; terms?: Terms };

const GAS = 25_000_000n;
const STIPEND = 200_000n;
/** Powers of two in falling order: together they are any sum, so that whatever can be taken is taken. */
const SUMS = Array.from({ length: 28 }, (_, n) => 2n ** BigInt(27 - n));

/**
 * A thief who has what the server has: its settings, its database, and so each key that the two open. Runs nothing of the
 * service.
 */
export function thiefOf(world: World, sql: postgres.Sql) {
  const { masterKeys, relayerKeys } = readConfig(process.env);
  const secrets = createVault(masterKeys);
  // What anybody can send needs no key of the relayer, which stops when its nonces are used elsewhere.
  const sender = world.accounts[8] as HDAccount;
  const loot = freshAddress();
  const sign = (authorization: Authorization, key: Hex) => signAuthorization("base", authorization, key);
  const chainNow = async () => unixSeconds(await world.chainTime());

  /** Whether the chain made it. */
  async function send({ to, data }: Call, gas?: bigint): Promise<boolean> {
    const request = { account: sender, chain: null, to, data, ...(gas !== undefined && { gas }) };
    const hash = await world
      .client()
      .sendTransaction(request)
      // The node refuses to estimate the gas of what reverts.
      .catch((error: unknown) => {
        if (/revert/i.test(String(error))) return null;
        throw error;
      });
    if (hash === null) return false;
    await world.mine();
    return (await world.client().waitForTransactionReceipt({ hash })).status === "success";
  }

  const authorizationOf = async (from: Address, to: Address, atomic: bigint): Promise<Authorization> => ({
    from,
    to,
    value: toUsdc(atomic),
    validAfter: 0n,
    nonce: randomNonce(),
    validBefore: BigInt((await chainNow()) + 600),
  });

  /** Submits them all until they bring nothing more. */
  async function drain(to: Address, items: () => Promise<StipendedTransfer[]>): Promise<void> {
    for (let had = -1n; had < (await world.balanceOf(to)); ) {
      had = await world.balanceOf(to);
      await send(settlerCall(NETWORKS.base.usdc, await items(), { isAllOrNothing: false }), GAS);
    }
  }

  async function vaultOf(mandateId: string, unsigned?: Terms) {
    const [row] = (await sql`select * from vaults where mandate_id = ${mandateId}`) as Json[];
    const key = secrets.open(row.sealed_key, mandateId) as Hex;
    const terms = unsigned ?? termsIn(row);
    return { vault: vaultAddress(terms), key, terms, payees: row.payees as Address[] | null };
  }

  /** With the proof of a listed payee, whether or not `to` is one. */
  async function paymentsTo(
    to: Address,
    { vault, key, terms, payees }: Awaited<ReturnType<typeof vaultOf>>,
    agentKey: Hex,
  ): Promise<StipendedTransfer[]> {
    const [first] = payees ?? [];
    const list = first && listOf(...(payees ?? []));
    const proof = list ? (list.proofOf(to) ?? list.proofOf(first)) : null;
    return Promise.all(
      SUMS.map(async (sum) => {
        const authorization = await authorizationOf(vault, to, sum);
        const signature = sign(authorization, key);
        // The vault refuses what its terms do not need.
        const agentSignature = terms.agent && sign(authorization, agentKey);
        const approvals = { signature, agentSignature, proof };
        return { authorization, signature: vaultSignature(authorization, approvals), stipend: STIPEND };
      }),
    );
  }

  return {
    relayerKey: relayerKeys[0],
    /** What the thief has. */
    taken: () => world.balanceOf(loot),

    /** Everything in the spending wallet of an owner. */
    async takeWallet(owner: Address): Promise<void> {
      const [row] = (await sql`select w.* from wallets w join owners o on o.id = w.owner_id
        where o.address = ${owner} and w.network = 'base' and w.purpose = 'spending'`) as Json[];
      const authorization = await authorizationOf(row.address, loot, await world.balanceOf(row.address));
      const signature = sign(authorization, secrets.open(row.sealed_key, row.id) as Hex);
      await send(alone({ authorization, signature, stipend: STIPEND }));
    },

    /** What is in the pocket of a vault. */
    async takePocket(mandateId: string): Promise<void> {
      const [row] = (await sql`select * from vaults where mandate_id = ${mandateId}`) as Json[];
      const authorization = await authorizationOf(row.pocket, loot, await world.balanceOf(row.pocket));
      const key = secrets.open(row.sealed_pocket_key, pocketSealName({ mandateId: row.mandate_id })) as Hex;
      await send(alone({ authorization, signature: sign(authorization, key), stipend: STIPEND }));
    },

    /** What the vault of a mandate lets go, after opening it and drawing what it can from its owner's wallet. */
    async plunder(mandateId: string, { to = loot, agentKey, terms: unsigned }: Plunder = {}): Promise<void> {
      const found = await vaultOf(mandateId, unsigned);
      const { vault, key, terms } = found;
      await send(openCall(terms));
      const released = releasedBy(terms, await chainNow());
      // More than what is released first, in case that the vault allowed it.
      for (const total of [terms.limit, toUsdc(released + 1n), released].filter((sum) => sum > 0n)) {
        await send(pullCall(vault, { total, signature: signDigest(pullDigest("base", vault, total), key) }));
      }
      await drain(to, () => paymentsTo(to, found, agentKey ?? key));
    },

    /** Opens a vault with what its owner signed, before the service does. */
    async open(mandateId: string): Promise<void> {
      const { terms, key, vault } = await vaultOf(mandateId);
      const [o] = (await sql`select * from vault_operations where mandate_id = ${mandateId} order by id`) as Json[];
      const [value, until] = [toUsdc(BigInt(o.amount)), BigInt(o.valid_before)];
      if (o.kind === "open_and_fund") {
        const funding = { value, validAfter: 0n, validBefore: until, nonce: terms.mandate, signature: o.signature };
        await send(openAndFundCall(terms, funding));
        return;
      }
      const total = releasedBy(terms, await chainNow());
      const pull = { total, signature: signDigest(pullDigest("base", vault, total), key) };
      await send(openAndPullCall(terms, { allowance: value, deadline: until, signature: o.signature }, pull));
    },
  };
}

const alone = (item: StipendedTransfer) => settlerCall(NETWORKS.base.usdc, [item], { isAllOrNothing: true });

/** The terms of a signed vault, as the database has them. */
const termsIn = (row: Json): Terms => ({
  token: NETWORKS.base.usdc,
  owner: row.owner,
  signer: row.signer,
  agent: row.agent_key,
  start: Number(row.starts_at),
  end: Number(row.ends_at),
  limit: toUsdc(BigInt(row.limit_amount)),
  perPayment: row.per_payment === null ? null : toUsdc(BigInt(row.per_payment)),
  release: row.release_amount && { amount: toUsdc(BigInt(row.release_amount)), seconds: Number(row.release_seconds) },
  payees: row.payees_root,
  mandate: row.mandate_hash,
  contractVersion: row.contract_version,
});
