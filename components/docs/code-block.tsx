import { Copy } from "@/components/ui/copy";

export type CodeBlockProps = { code: string; html: string; language: string };

/** A code block of a page, with a copy button. `html` is escaped and highlighted. */
export const CodeBlock = ({ code, html, language }: CodeBlockProps) => (
  <div className="relative my-4 min-w-0">
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      className="pr-14"
    >
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped by the highlighter */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
    <Copy
      value={code}
      label={language === "" ? "Copy code" : `Copy ${language}`}
      iconOnly
      className="absolute top-1.5 right-1.5 bg-sunk"
    />
  </div>
);
