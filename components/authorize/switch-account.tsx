"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "@/components/ui/button";
import { useOpenWallets } from "@/components/wallet/connection";

export type SwitchAccountProps = { variant?: ButtonVariant | undefined; size?: ButtonSize | undefined };

/** Signs out and stays on this page, which then shows its state for a visitor. */
export function SwitchAccount({ variant = "primary", size }: SwitchAccountProps) {
  const openWallets = useOpenWallets();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    const { leaveSession } = await import("@/components/wallet/sign-out");
    await leaveSession(openWallets);
    router.refresh();
    setBusy(false);
  }

  return (
    <Button variant={variant} size={size} busy={isBusy} onClick={leave}>
      Sign out and switch account
    </Button>
  );
}
