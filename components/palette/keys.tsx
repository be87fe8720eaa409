"use client";

import { Dialog } from "@/components/ui/dialog";
import { Fact, Facts } from "@/components/ui/facts";

/** The list of keyboard shortcuts. */
export const Keys = ({ close }: { close: () => void }) => (
  <Dialog open hasKeys onOpenChange={(next) => !next && close()} title="Keys">
    <Facts>
      {KEYS.map(({ keys, does }) => (
        <Fact key={does} label={does}>
          <span className="inline-flex flex-wrap justify-end gap-1.5">
            {keys.map((key) => (
              <kbd key={key} className="rounded-tile border bg-sunk px-2 py-0.5 text-small">
                {key}
              </kbd>
            ))}
          </span>
        </Fact>
      ))}
    </Facts>
  </Dialog>
);

const KEYS = [
  { keys: ["Ctrl K", "⌘ K"], does: "Find an agent, a mandate, a link, a payment or a page" },
  { keys: ["/"], does: "Search the list of links" },
  { keys: ["?"], does: "Show these keys" },
  { keys: ["Tab", "Shift Tab"], does: "Next, previous control" },
  { keys: ["←", "→"], does: "Open another tab, in a row of tabs" },
  { keys: ["Esc"], does: "Close a dialog or a menu" },
] as const;
