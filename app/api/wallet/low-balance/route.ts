import { getLowBalance, setLowBalance, toLowBalance } from "@/lib/mandates/funds/contract";
import * as funds from "@/lib/mandates/funds/service";
import { route } from "@/lib/wiring";

export const GET = route(getLowBalance, async (ctx) => toLowBalance(await funds.lowBalance(ctx)));
export const POST = route(setLowBalance, async (ctx, { body }) =>
  toLowBalance(await funds.setLowBalance(ctx, body.threshold)),
);
