import { Copy } from "lucide-react";

/** Code in a region that scrolls. public/home.js copies it. */
export const CodeBox = ({ text, label }: { text: string; label: string }) => (
  <div className="relative min-w-0" data-code>
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control bg-sunk"
    >
      <pre className="p-4 pr-14 text-tiny leading-relaxed" dir="ltr">
        {text}
      </pre>
    </section>
    <button
      type="button"
      data-copies
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
      className="absolute top-1 right-1 inline-grid size-9 place-items-center rounded-control bg-sunk text-ink-2 transition-colors hover:text-ink max-sm:size-11"
    >
      <Copy aria-hidden className="size-3.5" />
    </button>
    <span role="status" data-said className="sr-only" />
  </div>
);
