import { Copy } from "@/components/ui/copy";

export type CodeBlockProps = { code: string; html: string; language: string };

/** A code block of a page, with a copy button. `html` is escaped and highlighted. */
export const CodeBlock = ({ code, html, language }: CodeBlockProps) => (
  <div className="code-box my-4 min-w-0">
    <div className="flex min-h-11 items-center justify-between pr-1.5 pl-4 text-tiny text-ink-3" data-print="no">
      {language}
      <Copy value={code} label={language === "" ? "Copy code" : `Copy ${language}`} iconOnly />
    </div>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
    >
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: escaped by the highlighter */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  </div>
);
