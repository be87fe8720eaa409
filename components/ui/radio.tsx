export type RadioProps = {
  /** The same for all choices of a group. */
  name: string;
  isChosen: boolean;
  choose: () => void;
  children: React.ReactNode;
};

/** One of several choices, with its label. */
export function Radio({ name, isChosen, choose, children }: RadioProps) {
  return (
    <label className="flex min-h-8 items-start gap-3 text-control max-sm:min-h-11 max-sm:items-center">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={choose}
        className="mt-0.5 size-4.5 shrink-0 accent-brand max-sm:mt-0"
      />
      <span className="grid min-w-0">{children}</span>
    </label>
  );
}
