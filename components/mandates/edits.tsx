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

/** The result of saving a form. `refused`: the values are not part of the mandate; `text` is the reason. */
export type Saving = { type: "unchanged" } | { type: "saved" } | { type: "refused"; text: string };

type Form = { save: () => Promise<Saving>; isEdited: boolean };

type Edits = {
  /** True if a form has values that are not saved. */
  hasUnsaved: boolean;
  /** True while the page does not show the saved values yet. */
  isRefreshing: boolean;
  /** Saves all forms. `saved`: the mandate has changed, and the page is refreshing. */
  saveAll: () => Promise<Saving>;
  /** Reads the page again. */
  refresh: () => void;
  /** Resolves once the page shows the stored values. */
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

/** Shares the state of the forms with the sign button, so that the button signs what the fields show. */
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
