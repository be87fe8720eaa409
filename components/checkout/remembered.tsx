"use client";

import { useParams } from "next/navigation";
import { useSyncExternalStore } from "react";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { recallAll } from "./memory";

/** Payments of this browser at a link that is gone: they stay what they were. */
export function Remembered() {
  const { linkId } = useParams();
  const href = useSyncExternalStore(
    () => () => undefined,
    () => receiptAt(linkId),
    () => undefined,
  );
  if (href === undefined) return null;
  return (
    <Note
      tone="info"
      title="You have paid at this link before"
      actions={
        <ButtonLink size="small" href={href}>
          See the receipt
        </ButtonLink>
      }
    >
      This browser remembers it. What you paid for is yours although the link is gone.
    </Note>
  );
}

function receiptAt(linkId: string | string[] | undefined): string | undefined {
  if (typeof linkId !== "string") return undefined;
  const paid = recallAll(linkId).find(({ settlementId }) => settlementId !== undefined);
  return paid && `/receipt/${paid.settlementId}?key=${paid.secret}`;
}
