import { preflight } from "@/lib/http/cors";
import { getSoldApi } from "@/lib/links/upstream/contract";
import { describeApi } from "@/lib/links/upstream/open-api";
import * as upstreams from "@/lib/links/upstream/service";
import { route } from "@/lib/wiring";

export const GET = route(getSoldApi, async (ctx, { params }) =>
  describeApi(ctx.config.baseUrl, await upstreams.openApiLink(ctx, params.linkId)),
);

export const OPTIONS = preflight;
