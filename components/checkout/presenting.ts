import type { Kept } from "./memory";
import type { Outcome } from "./present";

/**
 * Presents and follows payments. The code is loaded separately, because most visitors never pay. Call before requesting a signature: a
 * buyer who has signed must see the result even if the connection breaks.
 */
export const loadPresenting = () => import("./present");

export async function present(proof: Kept, isRepeat: boolean): Promise<Outcome> {
  const part = await loadPresenting().catch(() => null);
  return part ? part.present(proof, isRepeat) : { type: "unknown" };
}

export async function follow(settlementId: string, secret: string): Promise<Outcome | "missing" | undefined> {
  const part = await loadPresenting().catch(() => null);
  return part?.follow(settlementId, secret);
}
