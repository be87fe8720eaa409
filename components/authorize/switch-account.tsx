"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "@/components/ui/button";
import { useLeave } from "@/components/wallet/use-leave";

export type SwitchAccountProps = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined };

/** Signs out and stays on this page, which then shows its state for a visitor. */
export function SwitchAccount({ variant = "primary", size }: SwitchAccountProps) {
  const endSession = useLeave();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    if (await endSession()) router.refresh();
    setBusy(false);
  }

  return (
    <Button variant={variant} size={size} busy={isBusy} onClick={leave}>
      Sign out and switch account
    </Button>
  );
}
