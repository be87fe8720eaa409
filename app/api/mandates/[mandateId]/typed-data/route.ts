import { getTypedData } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(getTypedData, (ctx, { params, query: { token, mode, funding, amount } }) =>
  mode === "vault" && funding
    ? mandates.vaultTypedData(ctx, params.mandateId, { funding, amount })
    : mandates.typedData(ctx, params.mandateId, token),
);
