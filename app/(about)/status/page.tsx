import type { Metadata } from "next";
import { Status } from "@/components/about/status";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { publicStatus } from "@/lib/public-status-reading";

export const metadata: Metadata = { title: "Status" };

export default async function StatusPage() {
  return (
    <>
      <Status status={await publicStatus()} />
      <KeepFresh isActive />
    </>
  );
}
