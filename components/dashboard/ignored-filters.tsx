import { Note } from "@/components/ui/note";

export type IgnoredFiltersProps<Name extends string> = {
  ignored: readonly { name: Name; why: string }[];
  labels: Record<Name, string>;
};

/** A filter that nobody can read must not look as if it had found nothing. */
export function IgnoredFilters<Name extends string>({ ignored, labels }: IgnoredFiltersProps<Name>) {
  if (ignored.length === 0) return null;
  return (
    <Note tone="warn" title={ignored.length === 1 ? "A filter was left out" : "Some filters were left out"}>
      {ignored.map(({ name, why }) => (
        <p key={name}>
          {labels[name]} {why}.
        </p>
      ))}
    </Note>
  );
}
