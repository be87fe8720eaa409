import type { Unreached } from "@/lib/platform/outbound";

/** Why the service disabled a webhook: it answered 410, or all deliveries failed for the whole retry period. */
export type DisabledBy = "gone" | "failing";
/** `paused`: its webhook is disabled. `failed`: not retried unless it is replayed. */
export type DeliveryState = "waiting" | "paused" | "delivered" | "failed";

/** Why an attempt does not count as delivered. */
export type DeliveryFailure = Unreached | "gone" | "redirect" | "status" | "not_echoed";
