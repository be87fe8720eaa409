import { wellKnownX402 } from "@/lib/discovery/contract";
import { listResources } from "@/lib/discovery/service";
import { route } from "@/lib/wiring";

const RESOURCES_MAX = 100;

export const GET = route(wellKnownX402, async (ctx) => {
  const { resources } = await listResources(ctx, {}, { offset: 0, limit: RESOURCES_MAX });
  return {
    version: 1 as const,
    resources: resources.map(({ requirement }) => requirement.resource),
    instructions: `Each URL responds with 402 and its price. GET ${ctx.config.baseUrl}/discovery/resources lists prices and inputs.`,
  };
});
