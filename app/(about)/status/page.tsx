import type { Metadata } from "next";
import { Status } from "@/components/about/status";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { shareFor } from "@/lib/core/share";
import { toPublicStatus } from "@/lib/public-status";
import { publicReadiness, system } from "@/lib/wiring";

export const metadata: Metadata = { title: "Status" };

/** The page is public, so visitors within this time share one reading. The page shows its time. */
const SHARED_MS = 5_000;

const readStatus = shareFor(SHARED_MS, async () => toPublicStatus(await publicReadiness(), system().now()));

export default async function StatusPage() {
  return (
    <>
      <Status status={await readStatus()} />
      <KeepFresh isActive />
    </>
  );
}
