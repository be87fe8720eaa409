import { expect } from "vitest";
import type { Address } from "@/lib/core/address";
import { NETWORKS } from "@/lib/x402/networks";
import { freshAddress } from "./mandates";
import type { cranks, openSystem } from "./system";
import { changeToken, type Place } from "./token";
import type { World } from "./world";

type Hands = { world: World; crank: Awaited<ReturnType<typeof cranks>>; sql: ReturnType<typeof openSystem>["sql"] };

/**
 * Sends what waits out of `wallet` for `subject`, and has it revert where everybody can read it, for want of funds that are
 * there again at the end. Returns how a stranger submits what they read.
 */
export async function revertInPublic(
  hands: Hands,
  { wallet, subject }: { wallet: Address; subject: string },
): Promise<() => Promise<void>> {
  const { held, submit } = await mineInVain(hands, wallet);
  await turnUntil(hands.crank, async () => {
    const [row] = await hands.sql`select state from settlements where subject = ${subject}`;
    return row?.state;
  }).toBe("declined");
  await hands.world.mint(wallet, held);
  return submit;
}

/**
 * Sends what waits out of `wallet`, and has that mined after its funds have left. Returns what it `held`, and how a stranger
 * submits what they read; of what became of it, nothing is known to the service yet.
 */
export async function mineInVain({ world, crank, sql }: Hands, wallet: Address) {
  await world.setAutomine(false);
  await crank.relay();
  const [sent] = await sql<{ calldata: `0x${string}` }[]>`
    select calldata from relayer_transactions order by nonce desc limit 1`;
  const held = await empty(world, wallet, { isFirst: true });
  await world.setAutomine(true);
  const submit = async () => {
    const stranger = world.accounts[8];
    if (!stranger || !sent) throw new Error("nobody, or nothing to submit");
    const client = world.client();
    const call = { account: stranger, chain: null, to: NETWORKS.base.usdc, data: sent.calldata };
    await client.waitForTransactionReceipt({ hash: await client.sendTransaction(call) });
  };
  return { held, submit };
}

/** Takes everything out of a wallet; returns how much that was. */
export async function empty(world: World, wallet: Address, place: Place = {}): Promise<bigint> {
  const held = await world.balanceOf(wallet);
  await world.client().impersonateAccount({ address: wallet });
  await world.client().setBalance({ address: wallet, value: 10n ** 18n });
  await changeToken(world, "transfer", [freshAddress(), held], wallet, place);
  return held;
}

/** What `read` tells, after each round of relayer and observer until it is as expected. */
export const turnUntil = <T>(crank: Hands["crank"], read: () => Promise<T>) =>
  expect.poll(
    async () => {
      await crank.drain();
      return read();
    },
    { timeout: 20_000, interval: 200 },
  );
