import { system } from "@/lib/wiring";

/** What Next alone costs for a request with a JSON body: the bench's measure of everything else. On a devnet only. */
export const POST = async (req: Request) =>
  system().config.mode === "devnet"
    ? Response.json(await req.json().catch(() => null))
    : new Response(null, { status: 404 });
