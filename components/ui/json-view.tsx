import { Copy } from "./copy";
import { cx } from "./cx";
import { layOut } from "./lay-out";

export type JsonViewProps = {
  value: unknown;
  /** Names the block for screen readers and the copy button: "Typed data". */
  label: string;
  /** The label of the copy button, for translated pages. */
  copyLabel?: string | undefined;
  className?: string | undefined;
};

/** JSON as text, never as HTML. A string that contains JSON is indented; other strings are shown unchanged. */
export function JsonView({ value, label, copyLabel = `Copy ${label}`, className }: JsonViewProps) {
  const text = textOf(value);
  return (
    <div className={cx("relative min-w-0", className)}>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control bg-sunk"
      >
        <pre className="p-4 pe-14 text-tiny leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]" dir="ltr">
          {text}
        </pre>
      </section>
      <Copy value={text} label={copyLabel} iconOnly className="absolute top-2 end-2 bg-sunk" />
    </div>
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return layOut(value) ?? value;
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part), 2) ?? "";
}
