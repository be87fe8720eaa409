"use client";

import { useCallback } from "react";
import { toast } from "@/components/ui/toast";
import { useOpenWallets } from "./connection";

/** Signs out. Returns whether it succeeded, and shows an error if that is unknown. */
export function useLeave(): () => Promise<boolean> {
  const openWallets = useOpenWallets();
  return useCallback(async () => {
    try {
      const { leaveSession } = await import("./sign-out");
      await leaveSession(openWallets);
      return true;
    } catch {
      toast.error("We could not be reached, so you may still be signed in. Try again.");
      return false;
    }
  }, [openWallets]);
}
