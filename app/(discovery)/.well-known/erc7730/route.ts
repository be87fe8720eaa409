import { listDescriptors, publicHeaders } from "@/lib/clear-signing/contract";
import { descriptorList } from "@/lib/clear-signing/descriptors";
import { reply } from "@/lib/core/endpoint";
import { route } from "@/lib/wiring";

export const GET = route(listDescriptors, async (ctx) => reply(200, descriptorList(ctx), { headers: publicHeaders }));
