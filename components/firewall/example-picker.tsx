"use client";

import { type KeyboardEvent, useState } from "react";
import { cx } from "@/components/ui/cx";
import { SelectField } from "@/components/ui/field";
import { GALLERY } from "./gallery";
import type { Scanner } from "./scanners";

export type ExamplePickerProps = {
  scanner: Scanner;
  /** The example in the editor; null once its text was edited. */
  picked: string | null;
  onPick: (id: string) => void;
};

const GROUPS = [
  { name: "Attacks and mistakes", isAttack: true },
  { name: "Look-alikes that are ordinary", isAttack: false },
] as const;

/**
 * The gallery: a toolbar on a wide screen, a select on a phone. Follows the ARIA toolbar pattern: one Tab stop, and the
 * arrow keys move between examples.
 */
export function ExamplePicker({ scanner, picked, onPick }: ExamplePickerProps) {
  const examples = GALLERY[scanner];
  const about = examples.find(({ id }) => id === picked)?.about;
  const [visited, setVisited] = useState<string | null>(null);
  const first = examples.find(({ isAttack }) => isAttack === GROUPS[0].isAttack)?.id;
  const stop = visited ?? picked ?? first;
  return (
    <section aria-label="Examples" className="grid min-w-0 gap-3">
      <div
        role="toolbar"
        aria-label="Examples to try"
        onKeyDown={move}
        className="hidden gap-x-8 gap-y-4 md:grid md:grid-cols-2"
      >
        {GROUPS.map(({ name, isAttack }) => (
          <fieldset key={name} className="min-w-0">
            <legend className="mb-2 text-small text-ink-2">{name}</legend>
            <ul className="flex flex-wrap gap-1.5">
              {examples
                .filter((example) => example.isAttack === isAttack)
                .map((example) => (
                  <li key={example.id}>
                    <button
                      type="button"
                      aria-pressed={example.id === picked}
                      tabIndex={example.id === stop ? 0 : -1}
                      onFocus={() => setVisited(example.id)}
                      onClick={() => onPick(example.id)}
                      className={cx(
                        "min-h-8 rounded-full border px-3 py-1 text-left text-small transition-colors",
                        "border-line-2 bg-card hover:bg-sunk aria-pressed:border-brand aria-pressed:bg-brand-soft",
                      )}
                    >
                      {example.name}
                    </button>
                  </li>
                ))}
            </ul>
          </fieldset>
        ))}
      </div>
      <SelectField
        className="md:hidden"
        label="Example"
        value={picked ?? ""}
        onChange={(event) => event.target.value !== "" && onPick(event.target.value)}
        options={[
          { value: "", label: "Your own input" },
          ...examples.map(({ id, name, isAttack }) => ({
            value: id,
            label: `${isAttack ? "Attack" : "Look-alike"}: ${name}`,
          })),
        ]}
      />
      <p className="min-h-6 text-control text-ink-2">{about ?? "Pick an example, or put in something of your own."}</p>
    </section>
  );
}

function move(event: KeyboardEvent<HTMLElement>) {
  // With a modifier, arrow keys are browser shortcuts, such as Back.
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const index = buttons.findIndex((button) => button.matches(":focus"));
  const to = {
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: -1,
  }[event.key];
  const next = to === undefined ? undefined : buttons.at(to % buttons.length);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
