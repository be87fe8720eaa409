"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Note } from "@/components/ui/note";
import { type Answer, callApi } from "@/lib/http/client";
import { linkSentence } from "./words";

/** A link that can be selected. `title`: one line. */
export type SelectableLink = { linkId: string; agentId: string; title: string };
type Action = "enable" | "disable" | "delete";
type Outcome = { action: Action; done: number; failed: { item: SelectableLink; problem: string }[] };

type Selection = {
  items: readonly SelectableLink[];
  chosen: readonly string[];
  choose: (linkIds: readonly string[], isChosen: boolean) => void;
};

const SelectionContext = createContext<Selection>({ items: [], chosen: [], choose: () => {} });

export type LinkSelectionProps = { items: readonly SelectableLink[]; children: ReactNode };

/** A page of links with checkboxes: the actions for selected links, and the result of the last action. */
export function LinkSelection({ items, children }: LinkSelectionProps) {
  const router = useRouter();
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState<Action>();
  const [outcome, setOutcome] = useState<Outcome>();
  const outcomeRef = useRef<HTMLDivElement>(null);
  // A link that has left the page is no longer selected.
  const selected = items.filter(({ linkId }) => marked.includes(linkId));
  const chosen = selected.map(({ linkId }) => linkId);

  // The dialog holds the focus until it closes. The button that opened it may be gone.
  useEffect(() => {
    if (outcome && asking === undefined) outcomeRef.current?.focus();
  }, [outcome, asking]);

  function choose(linkIds: readonly string[], isChosen: boolean) {
    setOutcome(undefined);
    setMarked([...chosen.filter((id) => !linkIds.includes(id)), ...(isChosen ? linkIds : [])]);
  }

  function ask(action: Action) {
    setOutcome(undefined);
    setAsking(action);
  }

  /** Sends one request per link, sequentially. A failure does not affect the other links. */
  async function run(action: Action): Promise<undefined> {
    const failed: Outcome["failed"] = [];
    for (const item of selected) {
      const response = await send(action, item);
      if (!response.ok) failed.push({ item, problem: linkSentence(response) });
    }
    setMarked(failed.map(({ item }) => item.linkId));
    setOutcome({ action, done: selected.length - failed.length, failed });
    router.refresh();
  }

  return (
    <SelectionContext value={{ items, chosen, choose }}>
      {children}
      <p role="status" className="sr-only">
        {chosen.length > 0 && `${count(chosen.length)} selected`}
      </p>
      {outcome && (
        <div ref={outcomeRef} tabIndex={-1} className="rounded-control">
          <Said {...outcome} />
        </div>
      )}
      {selected.length > 0 && (
        <section
          aria-label="Selected links"
          className="sticky bottom-3 z-10 flex flex-wrap items-center gap-2 rounded-card border bg-card p-3 shadow-lift"
        >
          <p className="mr-auto px-1.5 text-control font-medium num">{count(selected.length)} selected</p>
          {ACTIONS.map((action) => (
            <Button key={action} size="small" onClick={() => ask(action)}>
              {WORDS[action].verb}
            </Button>
          ))}
          <Button size="small" variant="quiet" onClick={() => choose(chosen, false)}>
            Clear selection
          </Button>
        </section>
      )}
      {asking && (
        <Confirm
          open
          onOpenChange={(isOpen) => !isOpen && setAsking(undefined)}
          title={`${WORDS[asking].verb} ${count(selected.length)}?`}
          verb={`${WORDS[asking].verb} ${count(selected.length)}`}
          tone={asking === "delete" ? "danger" : "primary"}
          onConfirm={() => run(asking)}
        >
          <div className="grid gap-3">
            <p>{WORDS[asking].means}</p>
            <ul className="grid max-h-60 list-disc gap-1 overflow-y-auto pl-5 text-small">
              {selected.map(({ linkId, title }) => (
                <li key={linkId} className="[overflow-wrap:anywhere]">
                  <bdi>{title}</bdi>
                </li>
              ))}
            </ul>
          </div>
        </Confirm>
      )}
    </SelectionContext>
  );
}

function send(action: Action, { agentId, linkId }: SelectableLink): Promise<Answer<unknown>> {
  const path = `/api/agents/${agentId}/payment-links/${linkId}` as const;
  if (action === "delete") return callApi("DELETE", path);
  return callApi("PATCH", path, { status: action === "enable" ? "active" : "disabled" });
}

function Said({ action, done, failed }: Outcome) {
  const { past } = WORDS[action];
  const all = done + failed.length;
  if (failed.length === 0) return <Note tone="good" live="polite" title={`${count(done)} ${past}`} />;
  return (
    <Note tone="bad" live="assertive" title={`${done} of ${count(all)} ${past}`}>
      <ul className="grid list-disc gap-1 pl-5">
        {failed.map(({ item, problem }) => (
          <li key={item.linkId}>
            <bdi>{item.title}</bdi>: {problem}
          </li>
        ))}
      </ul>
    </Note>
  );
}

export function SelectLink({ linkId, title }: { linkId: string; title: string }) {
  const { chosen, choose } = useContext(SelectionContext);
  const isChosen = chosen.includes(linkId);
  return <Box label={`Select ${title}`} isChosen={isChosen} change={() => choose([linkId], !isChosen)} />;
}

/** Selects all links of the page, or none. */
export function SelectAll() {
  const { items, chosen, choose } = useContext(SelectionContext);
  const isChosen = chosen.length > 0 && chosen.length === items.length;
  return (
    <Box
      label="Select all on this page"
      isChosen={isChosen}
      isPartly={chosen.length > 0 && !isChosen}
      change={() =>
        choose(
          items.map(({ linkId }) => linkId),
          !isChosen,
        )
      }
    />
  );
}

type BoxProps = { label: string; isChosen: boolean; isPartly?: boolean; change: () => void };

function Box({ label, isChosen, isPartly = false, change }: BoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    // The label is the touch target and larger than the box: on phones it fills the cell and its padding.
    <label className="-m-2 grid size-9 place-items-center max-sm:-mr-5 max-sm:-ml-4 max-sm:size-11">
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isChosen}
        onChange={change}
        className="size-4.5 accent-brand"
      />
    </label>
  );
}

const count = (links: number) => (links === 1 ? "1 link" : `${links} links`);

const ACTIONS = ["enable", "disable", "delete"] as const satisfies readonly Action[];

const WORDS: Record<Action, { verb: string; past: string; means: string }> = {
  enable: {
    verb: "Enable",
    past: "enabled",
    means: "Buyers can pay them again, unless they have expired or are sold out.",
  },
  disable: {
    verb: "Disable",
    past: "disabled",
    means: "They cannot be paid until you enable them. A payment that was already accepted completes.",
  },
  delete: {
    verb: "Delete",
    past: "deleted",
    means:
      "Anyone who opens them from now on sees “not found”. Payments that were already accepted complete, and all stay in your records. Deleting cannot be undone.",
  },
};
