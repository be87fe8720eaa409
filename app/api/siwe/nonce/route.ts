import { getSignInNonce } from "@/lib/owners/contract";
import { signInNonce } from "@/lib/owners/service";
import { route } from "@/lib/wiring";

export const GET = route(getSignInNonce, async (ctx) => ({ nonce: await signInNonce(ctx) }));
