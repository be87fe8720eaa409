import type { ReactNode } from "react";
import { receiptHref } from "@/components/payments/money-row";
import { usdcText } from "@/components/ui/format";
import type { NoteTone } from "@/components/ui/note";

export type ActivityEvent = {
  id: string;
  type: string;
  subject: string;
  agentId: string | null;
  agentName: string | null;
  meta: Record<string, unknown>;
  at: Date;
};
export type EventWords = { says: ReactNode; tone: NoteTone; href?: string };
/** `agent` is the agent's name, isolated. */
export type Describe = (event: ActivityEvent, agent: ReactNode) => EventWords;

/** An amount in atomic units out of the event's details. */
export const sum = ({ meta }: ActivityEvent, member: string): string => {
  const atomic = meta[member];
  return typeof atomic === "string" && /^\d+$/.test(atomic) ? usdcText(BigInt(atomic)) : "some USDC";
};

export const byOwner = ({ meta }: ActivityEvent): boolean => meta.by === "owner";

/** The receipt of the settlement in the event's details. */
export const settlementReceipt = ({ meta }: ActivityEvent) =>
  typeof meta.settlementId === "string" && { href: receiptHref(meta.settlementId) };
