import { LIMIT_NAMES } from "@/lib/core/limits";

/** For tests and benchmarks, which exceed the default limits. */
export const LOOSE_LIMITS = { RATE_LIMITS: LIMIT_NAMES.map((name) => `${name}=9999999/1m`).join(",") };
