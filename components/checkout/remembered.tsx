"use client";

import { useParams } from "next/navigation";
import { useSyncExternalStore } from "react";
import type { OfferTexts } from "@/components/texts/en/offer";
import { useLoaded } from "@/components/ui/use-loaded";
import { recallAll } from "./memory";

/** A note about this browser's payment for a deleted link. */
export function Remembered({ texts }: { texts: OfferTexts["remembered"] }) {
  const linkId = useParams()?.linkId;
  const lastPayment = useSyncExternalStore(
    () => () => undefined,
    () => lastOf(linkId),
    () => undefined,
  );
  const Note = useLoaded(loadNote, lastPayment !== undefined);
  if (lastPayment === undefined || !Note) return null;
  return <Note receiptHref={lastPayment === UNANSWERED ? null : lastPayment} texts={texts} />;
}

/** Loaded on demand, because this file is sent to every visitor of a checkout. */
const loadNote = () => import("./remembered-note").then((module) => module.RememberedNote);

const UNANSWERED = "unanswered";

/** Returns a string, so that `useSyncExternalStore` sees equal snapshots of an unchanged state. */
function lastOf(linkId: string | string[] | undefined): string | undefined {
  const [proof] = typeof linkId === "string" ? recallAll(linkId) : [];
  if (proof === undefined) return undefined;
  return proof.settlementId === undefined ? UNANSWERED : `/receipt/${proof.settlementId}?key=${proof.secret}`;
}
