"use client";

import { useParams } from "next/navigation";
import { useSyncExternalStore } from "react";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { recallAll } from "./memory";

/** Payments of this browser at a link that is gone: they stay what they were. */
export function Remembered() {
  const { linkId } = useParams();
  const kept = useSyncExternalStore(
    () => () => undefined,
    () => lastOf(linkId),
    () => undefined,
  );
  if (kept === undefined) return null;
  if (kept === UNANSWERED) {
    return (
      <Note tone="warn" title="You signed a payment at this link, and we had no clear answer">
        Look at your wallet before you pay the seller in another way. What you signed can move money only once, and not
        after 15 minutes.
      </Note>
    );
  }
  return (
    <Note
      tone="info"
      title="You have paid at this link before"
      actions={
        <ButtonLink size="small" href={kept}>
          See the receipt
        </ButtonLink>
      }
    >
      This browser remembers it. What you paid for is yours although the link is gone.
    </Note>
  );
}

const UNANSWERED = "unanswered";

/** The receipt's address, or that there is none yet; a string, so that asking twice gives the same. */
function lastOf(linkId: string | string[] | undefined): string | undefined {
  const [kept] = typeof linkId === "string" ? recallAll(linkId) : [];
  if (kept === undefined) return undefined;
  return kept.settlementId === undefined ? UNANSWERED : `/receipt/${kept.settlementId}?key=${kept.secret}`;
}
