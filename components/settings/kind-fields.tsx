"use client";

import { useState } from "react";
import { CheckboxField } from "@/components/ui/field";
import { NOTICE_KINDS, type NoticeKind } from "@/lib/notices/kinds";

/** The kinds that a person has chosen in a form, in the order of the list. */
export function useKinds(initial: readonly NoticeKind[]) {
  const [chosen, setChosen] = useState<ReadonlySet<NoticeKind>>(new Set(initial));
  const toggle = (kind: NoticeKind, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(kind);
    else next.delete(kind);
    setChosen(next);
  };
  return { kinds: NOTICE_KINDS.filter((kind) => chosen.has(kind)), toggle };
}

export type KindFieldsProps = { legend: string } & ReturnType<typeof useKinds>;

export const KindFields = ({ legend, kinds, toggle }: KindFieldsProps) => (
  <fieldset>
    <legend className="mb-1 text-small font-medium">{legend}</legend>
    {NOTICE_KINDS.map((kind) => (
      <CheckboxField
        key={kind}
        label={NOTICE_LABELS[kind]}
        checked={kinds.includes(kind)}
        onChange={(event) => toggle(kind, event.target.checked)}
      />
    ))}
  </fieldset>
);

/** The label of each kind of notice. */
const NOTICE_LABELS: Record<NoticeKind, string> = {
  approval_wanted: "Something waits for your approval",
  payment_refused: "A payment was refused",
  budget_low: "80 % of a mandate is used",
  balance_low: "Little money is left for your agents",
  money_received: "Money arrived",
  webhook_failing: "A webhook was disabled because it fails",
  sign_in: "Somebody signed in with your wallet",
};
