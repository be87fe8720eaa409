import { shareFor } from "@/lib/core/share";
import { publicReadiness, system } from "@/lib/wiring";
import { toPublicStatus } from "./public-status";

/** Anybody may open the page, so that a reading serves all visitors of some seconds. The page says when it was. */
const SHARED_MS = 5_000;

export const publicStatus = shareFor(SHARED_MS, async () => toPublicStatus(await publicReadiness(), system().now()));
