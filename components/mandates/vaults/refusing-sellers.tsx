"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import { callApi } from "@/lib/http/client";
import type { SellerView } from "@/lib/mandates/vaults/contract";
import { sentenceFor } from "../words";

export type RefusingSellersProps = { mandateId: string; sellers: readonly SellerView[] };

/** Sellers that refused a payment by a vault. A button per seller lets the agent try again. */
export function RefusingSellers({ mandateId, sellers }: RefusingSellersProps) {
  const router = useRouter();
  const [host, setHost] = useState<string>();
  const [problem, setProblem] = useState<string>();

  async function forget(seller: string) {
    setHost(seller);
    setProblem(undefined);
    const response = await callApi("POST", `/api/mandates/${mandateId}/refusing-sellers/forget`, { host: seller });
    if (!response.ok) setProblem(sentenceFor(response));
    router.refresh();
    setHost(undefined);
  }

  return (
    <Card title="Sellers that refuse vaults" aria-label="Sellers that refuse vaults">
      <div className="grid gap-4">
        <p className="measure text-small text-ink-2">
          These sellers refused a payment from a contract, so the vault does not pay them directly. Forget a seller to
          let your agents’ vaults try it again.
        </p>
        {problem !== undefined && (
          <Note tone="bad" live="assertive" title="The seller was not forgotten">
            {problem}
          </Note>
        )}
        <ul aria-label="Sellers that refuse vaults, newest first" className="grid divide-y">
          {sellers.map((seller) => (
            <li
              key={`${seller.host} ${seller.seenBy}`}
              className="flex flex-wrap items-center justify-between gap-3 py-3"
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <bdi className="font-medium">{seller.host}</bdi>
                <span className="block text-small text-ink-2">
                  {seller.seenBy === "agent" ? "Reported by this agent" : "Seen by us"},{" "}
                  <Time at={seller.seenAt} form="short" />: “<bdi>{seller.reason}</bdi>”
                </span>
              </span>
              <Button
                size="small"
                aria-label={`Forget ${seller.host}`}
                busy={host === seller.host}
                onClick={() => void forget(seller.host)}
              >
                Forget
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
