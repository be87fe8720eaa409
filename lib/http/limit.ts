import type { AppError } from "@/lib/core/errors";
import type { LimitName } from "@/lib/core/limits";
import type { System } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { edgeErrors } from "./errors";

/**
 * Takes one turn of `key` under the limit `name`. When none is left, throws rate_limited, or the error of `refuse`, with the seconds
 * until the next turn.
 */
export async function limit(
  system: System,
  name: LimitName,
  key: string,
  refuse: (details: { retryAfterSeconds: number }) => AppError = edgeErrors.rate_limited,
): Promise<void> {
  const retryAfterSeconds = await takeTurn(system, name, key);
  if (retryAfterSeconds !== null) throw refuse({ retryAfterSeconds });
}
