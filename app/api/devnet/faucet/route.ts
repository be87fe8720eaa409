import { mintTestDollars, noFaucet } from "@/lib/wallets/contract";
import { walletErrors } from "@/lib/wallets/errors";
import { mint } from "@/lib/wallets/service";
import { route, system } from "@/lib/wiring";

const open = route(mintTestDollars, async (ctx, { body }) => ({ status: "ok" as const, ...(await mint(ctx, body)) }));

/** 404 outside a devnet, even for an invalid body. */
const closed = route(noFaucet, async () => {
  throw walletErrors.not_found();
});

export const POST = (req: Request): Promise<Response> => (system().config.mode === "devnet" ? open(req) : closed(req));
