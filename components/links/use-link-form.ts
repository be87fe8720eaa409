"use client";

import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useFaults } from "@/components/ui/form-faults";
import { draftOf, localMinute, tooLong } from "./draft";
import type { Faults, LinkDraft, LinkStart } from "./draft-types";

export type LinkForm = {
  /** The form element, in which the first invalid field receives the focus. */
  ref: RefObject<HTMLFormElement | null>;
  /** The initial values. */
  before: LinkDraft;
  draft: LinkDraft;
  faults: Faults;
  isBusy: boolean;
  change: (part: Partial<LinkDraft>) => void;
  /** Starts again from other values. */
  reset: (draft: LinkDraft) => void;
  submit: (event: FormEvent) => Promise<void>;
};

/** State of the link form. `send` resolves to the server's errors, or to undefined on success. */
export function useLinkForm(
  agentId: string,
  start: LinkStart | undefined,
  send: (draft: LinkDraft, initialDraft: LinkDraft) => Promise<Faults | undefined>,
): LinkForm {
  const { ref, faults, setFaults, refuse } = useFaults<Faults>({});
  const [initialDraft, setBefore] = useState(() => draftOf(agentId, start));
  const [draft, setDraft] = useState(initialDraft);
  const [isBusy, setBusy] = useState(false);

  // The server does not know the reader's time zone, and the first client render must match the server's.
  const expiry = start?.expiresAt?.getTime();
  useEffect(() => {
    if (expiry === undefined) return;
    const local = { expiresAt: localMinute(new Date(expiry)) };
    setBefore((currentDraft) => ({ ...currentDraft, ...local }));
    setDraft((currentDraft) => ({ ...currentDraft, ...local }));
  }, [expiry]);

  function change(part: Partial<LinkDraft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    const remainingFaults = Object.entries(faults).filter(([field]) => field !== "form" && !Object.hasOwn(part, field));
    setFaults({ ...Object.fromEntries(remainingFaults), ...tooLong(next) });
  }

  function reset(newDraft: LinkDraft) {
    setBefore(newDraft);
    setDraft(newDraft);
    setFaults({});
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    // A partly typed date has an empty value, which would create a link without an expiry.
    const isHalf = ref.current?.querySelector<HTMLInputElement>("[type=datetime-local]")?.validity.badInput;
    if (isHalf) return refuse({ expiresAt: "Finish the date and the time, or clear both." });
    setBusy(true);
    const serverFaults = await send(draft, initialDraft);
    setBusy(false);
    if (serverFaults) refuse(serverFaults);
  }

  return { ref, before: initialDraft, draft, faults, isBusy, change, reset, submit };
}

/** The form as it is when an answer arrives: the person keeps typing meanwhile. */
export function useLatestForm(form: LinkForm): RefObject<LinkForm> {
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  }, [form]);
  return latest;
}
