import { clientBundle } from "@/lib/docs/packed";
import { system } from "@/lib/wiring";

export const dynamic = "force-dynamic";

export const GET = (): Promise<Response> => clientBundle(system().config.baseUrl);
