import { toDomainItem, verifyDomain } from "@/lib/sellers/contract";
import * as sellers from "@/lib/sellers/service";
import { route } from "@/lib/wiring";

export const POST = route(verifyDomain, async (ctx, { params }) => ({
  status: "ok" as const,
  domain: toDomainItem(await sellers.verifyDomain(ctx, params.domainId)),
}));
