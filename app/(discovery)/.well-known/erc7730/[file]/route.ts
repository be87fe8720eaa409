import { getDescriptor, publicHeaders } from "@/lib/clear-signing/contract";
import { descriptorNamed } from "@/lib/clear-signing/descriptors";
import { reply } from "@/lib/core/endpoint";
import { route } from "@/lib/wiring";

export const GET = route(getDescriptor, async (ctx, { params }) =>
  reply(200, descriptorNamed(ctx, params.file), { headers: publicHeaders }),
);
