import { Note } from "@/components/ui/note";

export type IgnoredFiltersProps<Name extends string> = {
  ignored: readonly { name: Name; why: string }[];
  labels: Record<Name, string>;
};

/** Shows rejected filters, so that an invalid filter does not look like an empty result. */
export function IgnoredFilters<Name extends string>({ ignored, labels }: IgnoredFiltersProps<Name>) {
  if (ignored.length === 0) return null;
  return (
    <Note tone="warn" title={ignored.length === 1 ? "A filter was left out" : "Some filters were left out"}>
      {ignored.map(({ name, why: reason }) => (
        <p key={name}>
          {labels[name]} {reason}.
        </p>
      ))}
    </Note>
  );
}
