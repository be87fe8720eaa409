import type { Address } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { reportErrors } from "./errors";
import { listOf } from "./service";
import * as store from "./store";

/**
 * Stores a report for the operator, who is told by the log. Of one address only the first reports are kept. Throws payee_not_denied,
 * and unavailable until each list was read once.
 */
export async function report(system: System, { address, reason }: { address: Address; reason: string }): Promise<void> {
  const list = await listOf(system, address);
  if (list === null) throw reportErrors.payee_not_denied();
  const isAdded = await store.addReport(system.db, { address, list, reason, createdAt: system.now() });
  if (isAdded) system.log.warn({ address, list }, "screening.reported");
}
