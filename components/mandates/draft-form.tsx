"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";
import { sentenceFor } from "./words";

type FaultOf<Field> = { field: Field | "form"; text: string };

type Form<Draft, Field> = {
  mandateId: string;
  first: () => Draft;
  /** The body of the change, or what is wrong with the draft. */
  bodyOf: (draft: Draft) => { body: object } | { fault: FaultOf<Field> };
  /** The field that a refusal of the API is about. */
  fieldOf?: (code: string) => Field | undefined;
  afterSaving?: (draft: Draft) => Draft;
};

/** A form that changes a requested mandate before it is signed. */
export function useDraft<Draft, Field>({ mandateId, first, bodyOf, fieldOf, afterSaving }: Form<Draft, Field>) {
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>(first);
  const [fault, setFault] = useState<FaultOf<Field>>();
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);

  function change(part: Partial<Draft>) {
    setDraft({ ...draft, ...part });
    setFault(undefined);
    setSaved(false);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    const wanted = bodyOf(draft);
    if ("fault" in wanted) return setFault(wanted.fault);
    setBusy(true);
    const answer = await callApi("PATCH", `/api/mandates/${mandateId}`, wanted.body);
    setBusy(false);
    if (!answer.ok) return setFault({ field: fieldOf?.(answer.code) ?? "form", text: sentenceFor(answer) });
    if (afterSaving) setDraft(afterSaving(draft));
    setSaved(true);
    router.refresh();
  }

  const faultOf = (field: Field | "form") => (fault?.field === field ? fault.text : undefined);
  return { draft, change, save, faultOf, isSaved, isBusy };
}

type DraftFormProps = {
  form: Pick<ReturnType<typeof useDraft<unknown, never>>, "save" | "isSaved" | "isBusy">;
  problem: string | undefined;
  verb: string;
  /** Said once it is saved. */
  saved: string;
  children: ReactNode;
};

export const DraftForm = ({ form: { save, isSaved, isBusy }, problem, verb, saved, children }: DraftFormProps) => (
  <form onSubmit={save} noValidate className="grid gap-4">
    {children}
    {problem !== undefined && (
      <Note tone="bad" live="assertive">
        {problem}
      </Note>
    )}
    <Button type="submit" busy={isBusy}>
      {verb}
    </Button>
    <p role="status" className="text-small text-ink-2">
      {isSaved && saved}
    </p>
  </form>
);
