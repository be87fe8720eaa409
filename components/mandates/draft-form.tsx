"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";
import { type Saving, useEdits } from "./edits";
import { sentenceFor } from "./words";

type FaultOf<Field> = { field: Field | "form"; text: string };

type Form<Draft, Field> = {
  mandateId: string;
  /** Returns the draft that shows the mandate unchanged. `version` changes whenever the mandate does. */
  first: () => Draft;
  version: string;
  /** The body of the PATCH; null if nothing has changed, or the fault of an invalid draft. */
  bodyOf: (draft: Draft) => { type: "valid"; body: object | null } | { type: "invalid"; fault: FaultOf<Field> };
  /** Maps an error code of the API to the field that caused the error. */
  fieldOf?: (code: string) => Field | undefined;
};

/**
 * A form that changes a requested mandate before it is signed. It has no button: a value is saved when its field loses the focus, and
 * before the owner signs.
 */
export function useDraft<Draft, Field>({ mandateId, first, version, bodyOf, fieldOf }: Form<Draft, Field>) {
  const id = useId();
  const { refresh, isRefreshing, shownAgain, setForm } = useEdits();
  const form = useRef<HTMLFormElement>(null);
  const [base, setBase] = useState(version);
  const [draft, setDraft] = useState<Draft>(first);
  const [isEdited, setEdited] = useState(false);
  const [fault, setFault] = useState<FaultOf<Field>>();
  const [isSaved, setSaved] = useState(false);
  // The latest input, which may be newer than the value being saved. Each edit increments `revision`.
  const latest = useRef({ draft, revision: 0, saved: 0 });
  // True while the page does not show the stored values yet. Changes cannot be computed until it does.
  const isBehind = useRef(false);
  const queue = useRef<Promise<Saving>>(Promise.resolve({ type: "unchanged" }));
  // Shows the stored values, unless the person is typing.
  if (base !== version && !isEdited) {
    setBase(version);
    setDraft(first());
  }
  useEffect(() => {
    if (!isRefreshing) isBehind.current = false;
  }, [isRefreshing]);
  useEffect(() => {
    if (latest.current.revision === latest.current.saved) latest.current.draft = draft;
  }, [draft]);

  function change(part: Partial<Draft>) {
    latest.current = {
      ...latest.current,
      draft: { ...latest.current.draft, ...part },
      revision: latest.current.revision + 1,
    };
    setDraft(latest.current.draft);
    setFault(undefined);
    setSaved(false);
    setEdited(true);
  }

  /** For fields that do not lose the focus after a change, such as radio buttons. */
  function choose(part: Partial<Draft>) {
    change(part);
    void save();
  }

  /** Saves sequentially. `isUnfinished`: the person moves on to another field of the form, so faults are not shown yet. */
  function save(isUnfinished = false): Promise<Saving> {
    queue.current = queue.current.then(async () =>
      latest.current.revision > latest.current.saved ? write(isUnfinished) : { type: "unchanged" },
    );
    return queue.current;
  }

  async function write(isUnfinished: boolean): Promise<Saving> {
    const { draft: written, revision } = latest.current;
    // The change is computed against the values on the page: wait until the page shows the stored ones.
    if (isBehind.current) await shownAgain();
    const request = latestBody.current(written);
    if (request.type === "invalid") return isUnfinished ? { type: "unchanged" } : refuse(request.fault);
    if (request.body !== null) {
      const response = await callApi("PATCH", `/api/mandates/${mandateId}`, request.body);
      if (!response.ok) return refuse({ field: fieldOf?.(response.code) ?? "form", text: sentenceFor(response) });
      isBehind.current = true;
      refresh();
      setSaved(true);
    }
    latest.current.saved = revision;
    if (latest.current.revision === revision) {
      setEdited(false);
      if (request.body === null) setDraft(latestFirst.current());
    }
    return { type: request.body === null ? "unchanged" : "saved" };
  }

  function refuse(reason: FaultOf<Field>): Saving {
    setFault(reason);
    return { type: "refused", text: reason.text };
  }

  async function saveAndShowFault(): Promise<Saving> {
    const saving = await save();
    if (saving.type === "refused") showFault(form.current);
    return saving;
  }

  const saveLatest = useRef(saveAndShowFault);
  const latestBody = useRef(bodyOf);
  const latestFirst = useRef(first);
  useEffect(() => {
    saveLatest.current = saveAndShowFault;
    latestBody.current = bodyOf;
    latestFirst.current = first;
  });
  useEffect(() => {
    setForm(id, { save: () => saveLatest.current(), isEdited });
  }, [id, isEdited, setForm]);
  useEffect(() => () => setForm(id, null), [id, setForm]);

  const faultOf = (field: Field | "form") => (fault?.field === field ? fault.text : undefined);
  return { form, draft, change, choose, save, faultOf, isSaved };
}

/** Focuses the faulty field. Opens the form first if it is collapsed. */
function showFault(form: HTMLFormElement | null): void {
  if (!form) return;
  form.closest("details")?.setAttribute("open", "");
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true], [data-fault]")?.focus());
}

type DraftFormProps = {
  form: Pick<ReturnType<typeof useDraft<unknown, never>>, "form" | "save" | "isSaved">;
  problem: string | undefined;
  children: ReactNode;
};

export const DraftForm = ({ form: { form, save, isSaved }, problem, children }: DraftFormProps) => (
  <form
    ref={form}
    onSubmit={(event) => {
      event.preventDefault();
      void save();
    }}
    onBlur={({ currentTarget, relatedTarget }) => void save(currentTarget.contains(relatedTarget))}
    noValidate
    className="grid gap-4"
  >
    {children}
    {problem !== undefined && (
      <div data-fault tabIndex={-1}>
        <Note tone="bad" live="assertive">
          {problem}
        </Note>
      </div>
    )}
    {/* Enter submits a form with several fields only if it has a submit button, which may be hidden. */}
    <button type="submit" hidden aria-hidden tabIndex={-1} />
    <p role="status" className="text-small text-ink-2 empty:-mt-4">
      {isSaved && "Saved: you sign these limits."}
    </p>
  </form>
);
