import { addDomain, listDomains, toDomainItem } from "@/lib/sellers/contract";
import * as sellers from "@/lib/sellers/service";
import { route } from "@/lib/wiring";

export const GET = route(listDomains, async (ctx) => ({
  status: "ok" as const,
  domains: (await sellers.listDomains(ctx)).map(toDomainItem),
}));

export const POST = route(addDomain, async (ctx, { body }) => ({
  status: "ok" as const,
  domain: toDomainItem(await sellers.addDomain(ctx, body.domain)),
}));
