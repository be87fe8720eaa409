"use client";

import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { useWebhookCall } from "./use-webhook-call";

export type ReplayButtonProps = { deliveryId: string; isWaiting: boolean };

/** Sends a delivery again, or at once if it is waiting for a retry. */
export function ReplayButton({ deliveryId, isWaiting }: ReplayButtonProps) {
  const { send, isBusy, failure } = useWebhookCall();

  async function replay() {
    if (await send("POST", `/api/webhooks/deliveries/${deliveryId}/replay`)) toast.success("Delivery on its way");
  }

  return (
    <div className="grid gap-3">
      <div>
        <Button size="small" busy={isBusy} onClick={() => void replay()}>
          {isWaiting ? "Send now" : "Send again"}
        </Button>
      </div>
      {failure && (
        <Note tone="bad" live="assertive">
          {failure.message}
        </Note>
      )}
    </div>
  );
}
