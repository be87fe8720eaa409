"use client";

import { cx } from "@/components/ui/cx";
import { SelectField } from "@/components/ui/field";
import { GALLERY } from "./gallery";
import type { Scanner } from "./scanners";

export type ExamplePickerProps = {
  scanner: Scanner;
  /** The example whose text stands in the editor as it was picked. */
  picked: string | null;
  onPick: (id: string) => void;
};

const GROUPS = [
  { name: "Attacks and mistakes", isAttack: true },
  { name: "Look-alikes that are ordinary", isAttack: false },
] as const;

/** The gallery: all at once where there is room, a list to choose from on a phone. */
export function ExamplePicker({ scanner, picked, onPick }: ExamplePickerProps) {
  const examples = GALLERY[scanner];
  const about = examples.find(({ id }) => id === picked)?.about;
  return (
    <section aria-label="Examples" className="grid min-w-0 gap-3">
      <div className="hidden gap-x-8 gap-y-4 md:grid md:grid-cols-2">
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
