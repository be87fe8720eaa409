import { shareFor } from "@/lib/core/share";
import { publicReadiness, system } from "@/lib/wiring";
import { toPublicStatus } from "./public-status";

/** The page is public, so visitors within this time share one reading. The page shows its time. */
const SHARED_MS = 5_000;

export const publicStatus = shareFor(SHARED_MS, async () => toPublicStatus(await publicReadiness(), system().now()));
