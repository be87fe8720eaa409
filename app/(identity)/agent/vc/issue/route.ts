import { issueCredential as endpoint, requestOf, toIssuedResponse } from "@/lib/identity/contract";
import { issueCredential } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(endpoint, async (ctx, { body }) =>
  toIssuedResponse(await issueCredential(ctx, requestOf(body))),
);
