import { system } from "@/lib/wiring";

/** Measures the cost of Next alone for a request with a JSON body: the baseline of the benchmark. Devnet only. */
export const POST = async (req: Request) =>
  system().config.mode === "devnet"
    ? Response.json(await req.json().catch(() => null))
    : new Response(null, { status: 404 });
