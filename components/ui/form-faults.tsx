"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { Note } from "./note";

/** Errors by field; `form` is an error that belongs to no field. */
type FormFaults = { readonly [field: string]: string | undefined };

/** The errors of a form. `refuse` shows new ones and moves the focus to the first. `ref` is of the form element. */
export function useFaults<Faults extends FormFaults>(none: Faults) {
  const ref: RefObject<HTMLFormElement | null> = useRef(null);
  const [faults, setFaults] = useState(none);
  const [refusals, setRefusals] = useState(0);

  useEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-fault]")?.focus();
  }, [refusals]);

  function refuse(newFaults: Faults) {
    setFaults(newFaults);
    setRefusals((count) => count + 1);
  }

  return { ref, faults, setFaults, refuse };
}

/** An error that belongs to no field, and receives the focus. */
export const FormFault = ({ fault }: { fault: string | undefined }) =>
  fault !== undefined && (
    <div tabIndex={-1} data-fault className="rounded-control">
      <Note tone="bad" live="assertive">
        {fault}
      </Note>
    </div>
  );
