import { LIMIT_NAMES } from "@/lib/core/limits";

/** For programs of ours that ask more of the service in a minute than a client may. */
export const LOOSE_LIMITS = { RATE_LIMITS: LIMIT_NAMES.map((name) => `${name}=1000000/1m`).join(",") };
