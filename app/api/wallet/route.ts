import { getWallet, toWalletItem } from "@/lib/wallets/contract";
import { overview } from "@/lib/wallets/service";
import { route } from "@/lib/wiring";

export const GET = route(getWallet, async (ctx) => {
  const balances = await overview(ctx);
  const wallets = balances.map(({ wallet, balance }) => toWalletItem(wallet.address, wallet.network, balance));
  return { status: "ok" as const, owner: ctx.actor.address, wallets };
});
