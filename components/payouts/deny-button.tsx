"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button, type ButtonSize } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import { sentenceFor } from "./words";

export type DenyButtonProps = {
  recordId: string;
  /** True if the owner created the payout. Owners cancel their own payouts and reject those of agents. */
  isOwn: boolean;
  size?: ButtonSize | undefined;
};

/** Needs no confirmation: refusing moves no money, and must not be harder than approving. */
export function DenyButton({ recordId, isOwn, size }: DenyButtonProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);

  async function deny() {
    setBusy(true);
    const path = `/api/wallet/payouts/${recordId}/${isOwn ? "cancel" : "deny"}` as const;
    const response = await callApi("POST", path, isOwn ? undefined : {});
    setBusy(false);
    if (response.ok) toast.success(isOwn ? "Payout cancelled" : "Payout rejected");
    else toast.error(sentenceFor(response));
    router.refresh();
  }

  return (
    <Button size={size} busy={isBusy} onClick={() => void deny()}>
      {isOwn ? "Cancel payout" : "Reject"}
    </Button>
  );
}
