import { oncePerProcess } from "@/lib/platform/once-per-process";
import { readiness, system } from "@/lib/wiring";
import { type PublicStatus, toPublicStatus } from "./public-status";

/** Anybody may open the page, so that a reading serves all visitors of some seconds. The page says when it was. */
const SHARED_MS = 5_000;

const shared = oncePerProcess("status.reading", () => ({
  from: -SHARED_MS,
  reading: null as Promise<PublicStatus> | null,
}));

export function publicStatus(): Promise<PublicStatus> {
  const now = performance.now();
  if (shared.reading === null || now - shared.from >= SHARED_MS) {
    shared.from = now;
    shared.reading = readiness().then((report) => toPublicStatus(report, system().now()));
  }
  return shared.reading;
}
