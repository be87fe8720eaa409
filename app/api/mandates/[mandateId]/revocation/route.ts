import { getRevocation } from "@/lib/mandates/contract";
import * as mandates from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(getRevocation, (ctx, { params }) => mandates.revocation(ctx, params.mandateId));
