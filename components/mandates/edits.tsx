"use client";

import { useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from "react";

/** What became of the values that a person typed. `refused`: they are not part of the mandate, and why. */
export type Saving = { type: "unchanged" } | { type: "saved" } | { type: "refused"; text: string };

type Form = { save: () => Promise<Saving>; isEdited: boolean };

type Edits = {
  /** Whether a form has values that the mandate does not have yet. */
  hasUnsaved: boolean;
  /** Whether the page does not show the saved values yet. */
  isRefreshing: boolean;
  /** Saves all forms of the page. `saved`: what was signed for before has changed, and the page reads it again. */
  saveAll: () => Promise<Saving>;
  /** Reads the page again. */
  refresh: () => void;
  /** Waits until the page shows what was stored. */
  shownAgain: () => Promise<void>;
  setForm: (id: string, form: Form | null) => void;
};

const NONE: Edits = {
  hasUnsaved: false,
  isRefreshing: false,
  saveAll: async () => ({ type: "unchanged" }),
  refresh: () => undefined,
  shownAgain: async () => undefined,
  setForm: () => undefined,
};

const EditsContext = createContext(NONE);

export const useEdits = (): Edits => useContext(EditsContext);

/** The forms of the signing page and its button have one state: the button signs what the fields say. */
export function MandateEdits({ children }: { children: ReactNode }) {
  const router = useRouter();
  const forms = useRef(new Map<string, Form>());
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [isRefreshing, startRefresh] = useTransition();
  const isOutdated = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useEffect(() => {
    if (isRefreshing) return;
    isOutdated.current = false;
    for (const proceed of waiting.current.splice(0)) proceed();
  }, [isRefreshing]);

  const refresh = useCallback(() => {
    isOutdated.current = true;
    startRefresh(() => router.refresh());
  }, [router]);

  const shownAgain = useCallback(
    () => new Promise<void>((proceed) => (isOutdated.current ? void waiting.current.push(proceed) : proceed())),
    [],
  );

  const setForm = useCallback((id: string, form: Form | null) => {
    if (form) forms.current.set(id, form);
    else forms.current.delete(id);
    setEdited((previousIds) => {
      if (previousIds.has(id) === (form?.isEdited ?? false)) return previousIds;
      const nextIds = new Set(previousIds);
      if (form?.isEdited) nextIds.add(id);
      else nextIds.delete(id);
      return nextIds;
    });
  }, []);

  const saveAll = useCallback(async (): Promise<Saving> => {
    for (const form of forms.current.values()) {
      const saving = await form.save();
      if (saving.type === "refused") return saving;
    }
    return { type: isOutdated.current ? "saved" : "unchanged" };
  }, []);

  const hasUnsaved = edited.size > 0;
  const edits = useMemo(
    () => ({ hasUnsaved, isRefreshing, saveAll, refresh, shownAgain, setForm }),
    [hasUnsaved, isRefreshing, saveAll, refresh, shownAgain, setForm],
  );
  return <EditsContext value={edits}>{children}</EditsContext>;
}
