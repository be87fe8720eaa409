"use client";

import { useCallback } from "react";
import { usePageWords } from "@/components/texts/page-words";
import { NotLoaded } from "@/components/ui/not-loaded";
import { useLoaded } from "@/components/ui/use-loaded";
import type { ConnectDialogProps } from "./connect-steps";
import { useOpenWallets } from "./connection";

/** Lists the wallets of this browser, connects one and, for `purpose` "sign-in", signs in with it. */
export function ConnectDialog({ open, ...stepsProps }: ConnectDialogProps) {
  const openWallets = useOpenWallets();
  const { looking } = usePageWords().texts;
  const load = useCallback(
    () =>
      Promise.all([import("./connect-steps"), openWallets(), import("@/components/ui/dialog-panel")]).then(
        ([{ ConnectSteps }]) => ConnectSteps,
      ),
    [openWallets],
  );
  const Steps = useLoaded(load, open);
  // Mounted on each opening, so that an old failure is not shown.
  if (!open) return null;
  if (Steps) return <Steps {...stepsProps} />;
  return Steps === null ? (
    <NotLoaded />
  ) : (
    <p role="status" className="sr-only">
      {looking}
    </p>
  );
}
