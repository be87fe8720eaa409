"use client";

import { useState } from "react";
import { CheckboxField } from "@/components/ui/field";
import { NOTICE_KINDS, type NoticeKind } from "@/lib/notices/kinds";
import { NOTICE_LABELS } from "./notice-words";

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
