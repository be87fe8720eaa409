"use client";

import { useParams } from "next/navigation";
import { useSyncExternalStore } from "react";
import { recallAll } from "./memory";
import { useLoaded } from "./use-loaded";

/** Payments of this browser at a link that is gone: they stay what they were. */
export function Remembered() {
  const { linkId } = useParams();
  const kept = useSyncExternalStore(
    () => () => undefined,
    () => lastOf(linkId),
    () => undefined,
  );
  const Note = useLoaded(loadNote, kept !== undefined);
  if (kept === undefined || !Note) return null;
  return <Note receiptHref={kept === UNANSWERED ? null : kept} />;
}

/** Fetched by the few who need it: every visitor of a checkout is sent this file. */
const loadNote = () => import("./remembered-note").then((module) => module.RememberedNote);

const UNANSWERED = "unanswered";

/** The receipt's address, or that there is none yet; a string, so that asking twice gives the same. */
function lastOf(linkId: string | string[] | undefined): string | undefined {
  const [kept] = typeof linkId === "string" ? recallAll(linkId) : [];
  if (kept === undefined) return undefined;
  return kept.settlementId === undefined ? UNANSWERED : `/receipt/${kept.settlementId}?key=${kept.secret}`;
}
