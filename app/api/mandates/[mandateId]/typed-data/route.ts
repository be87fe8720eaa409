import { getTypedData } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(getTypedData, (ctx, { params, query }) =>
  mandates.typedData(ctx, params.mandateId, query.token),
);
