import { issueCredential as endpoint, presentIssued, requestOf } from "@/lib/identity/contract";
import { issueCredential } from "@/lib/identity/service";
import { route } from "@/lib/wiring";

export const POST = route(endpoint, async (ctx, { body }) =>
  presentIssued(await issueCredential(ctx, requestOf(body))),
);
