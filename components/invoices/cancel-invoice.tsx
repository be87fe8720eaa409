"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";

export type CancelInvoiceProps = { agentId: string; invoiceId: string; number: string; isUnderWay: boolean };

export function CancelInvoice({ agentId, invoiceId, number, isUnderWay }: CancelInvoiceProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);

  async function cancel(): Promise<string | undefined> {
    const response = await callApi("POST", `/api/agents/${agentId}/invoices/${invoiceId}/cancel`, {});
    if (!response.ok) return response.code === "invoice_paid" ? PAID : sentenceFor(response);
    toast.success("Invoice cancelled");
    router.refresh();
    return undefined;
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>Cancel invoice</Button>
      <Confirm open={isOpen} onOpenChange={setOpen} title={`Cancel ${number}`} verb="Cancel invoice" onConfirm={cancel}>
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>No new payment can begin. Its page says that you cancelled it.</li>
          {isUnderWay && <li>A payment is under way. It may still settle, and then the invoice is paid.</li>}
          <li>This cannot be undone. The number stays in use.</li>
        </ul>
      </Confirm>
    </>
  );
}

const PAID = "It was paid in the meantime. To give the money back, refund the payment.";
