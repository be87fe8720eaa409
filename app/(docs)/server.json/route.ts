import { jsonResponse } from "@/lib/docs/responses";
import { serverJson } from "@/lib/docs/server-json";
import { system } from "@/lib/wiring";

export const GET = () => jsonResponse(serverJson(system().config.baseUrl));
