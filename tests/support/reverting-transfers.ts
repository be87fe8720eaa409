import { expect } from "vitest";
import type { Address } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { freshAddress } from "./mandates";
import type { cranks, openSystem } from "./system";
import { changeToken, type Place } from "./token";
import type { World } from "./world";

type Harness = { world: World; crank: Awaited<ReturnType<typeof cranks>>; sql: ReturnType<typeof openSystem>["sql"] };

/**
 * Relays the pending transfer of `subject` out of `wallet` and makes it revert on the chain, where anybody can copy it. The
 * wallet is empty at that moment and funded again afterwards. Returns a function that submits the copy as a stranger.
 */
export async function revertPublicly(
  harness: Harness,
  { wallet, subject }: { wallet: Address; subject: string },
): Promise<() => Promise<void>> {
  const { held, submit } = await mineReverting(harness, wallet);
  await pollRounds(harness.crank, async () => {
    const [row] = await harness.sql`select state from settlements where subject = ${subject}`;
    return row?.state;
  }).toBe("declined");
  await harness.world.mint(wallet, held);
  return submit;
}

/**
 * Relays the pending transfer out of `wallet` and mines it after the wallet was emptied. Returns what the wallet `held`, and
 * a function that submits the copy as a stranger. The service has not observed the outcome yet.
 */
export async function mineReverting({ world, crank, sql }: Harness, wallet: Address) {
  await world.setAutomine(false);
  await crank.relay();
  const [sent] = await sql<{ calldata: `0x${string}` }[]>`
    select calldata from relayer_transactions order by nonce desc limit 1`;
  const balance = await empty(world, wallet, { isFirst: true });
  await world.setAutomine(true);
  const submit = async () => {
    const stranger = world.accounts[8];
    if (!stranger || !sent) throw new Error("no stranger, or no transaction to submit");
    const client = world.client();
    const call = { account: stranger, chain: null, to: NETWORKS.base.usdc, data: sent.calldata };
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction(call) });
  };
  return { held: balance, submit };
}

/** Moves a wallet's whole balance away and returns it. */
export async function empty(world: World, wallet: Address, place: Place = {}): Promise<bigint> {
  const balance = await world.balanceOf(wallet);
  await world.client().impersonateAccount({ address: wallet });
  await world.client().setBalance({ address: wallet, value: 10n ** 18n });
  await changeToken(world, "transfer", [freshAddress(), balance], wallet, place);
  return balance;
}

/** Polls `read` after rounds of relayer and observer until it matches. */
export const pollRounds = <T>(crank: Harness["crank"], read: () => Promise<T>) =>
  expect.poll(
    async () => {
      await crank.drain();
      return read();
    },
    { timeout: 20_000, interval: 200 },
  );
