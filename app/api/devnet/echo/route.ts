import { system } from "@/lib/wiring";

/** The cost of Next alone for a request with a JSON body: the baseline of the bench. Devnet only. */
export const POST = async (req: Request) =>
  system().config.mode === "devnet"
    ? Response.json(await req.json().catch(() => null))
    : new Response(null, { status: 404 });
