import { ArrowLeft, ArrowRight, ChevronRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";
import type { Calls } from "@/lib/docs/calls";
import type { Heading, Rendered } from "@/lib/docs/markdown";
import { TryIt } from "./try-it/try-it";

type Neighbour = { path: string; label: string };
export type ArticleProps = {
  rendered: Rendered;
  /** The title of the page's group. */
  eyebrow: string;
  markdownHref: string;
  /** The endpoints described on the page. Their request forms are shown only on a devnet. */
  calls: Calls | undefined;
  devnet: boolean;
  previous: Neighbour | undefined;
  next: Neighbour | undefined;
  /** The first list of the index is its entrances. */
  isIndex?: boolean | undefined;
};

/** A page of the documentation, with a table of contents and links to the previous and next page. */
export function Article({
  rendered: { title, blocks, headings },
  eyebrow,
  markdownHref,
  calls,
  devnet,
  previous,
  next,
  isIndex = false,
}: ArticleProps) {
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_200px] xl:gap-10">
      <article className="min-w-0 max-w-200">
        <header className="mb-6">
          {eyebrow !== "" && <p className="mb-1 text-small text-ink-3">{eyebrow}</p>}
          <h1 className="text-mid [overflow-wrap:anywhere]">{title}</h1>
          <p className="mt-2 text-small text-ink-3">
            <a href={markdownHref} className="underline underline-offset-4 hover:text-ink">
              This page as Markdown
            </a>
          </p>
        </header>
        {headings.length > 2 && (
          <details className="group mb-6 rounded-card border bg-card px-4 xl:hidden">
            <summary className="flex min-h-11 list-none items-center justify-between text-small font-medium">
              On this page
              <ChevronRight
                aria-hidden
                className="size-4 shrink-0 text-ink-2 transition-transform group-open:rotate-90"
              />
            </summary>
            <Contents headings={headings} />
          </details>
        )}
        {calls && !devnet && (
          <p className="mb-6 text-small text-ink-2">On a devnet, the endpoints here have forms that send requests.</p>
        )}
        {blocks.map((block, index) => {
          if (block.kind === "code") {
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page never change
              <div key={index} className="prose">
                <CodeBlock {...block} />
              </div>
            );
          }
          const call = devnet && block.endsWith !== undefined ? calls?.[block.endsWith] : undefined;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page never change
            <Fragment key={index}>
              <div
                className={cx("prose", isIndex && index === 0 && "entrances")}
                // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from our own files, with HTML escaped
                dangerouslySetInnerHTML={{ __html: block.html }}
              />
              {call && <TryIt call={call} />}
            </Fragment>
          );
        })}
        <nav aria-label="Pages" className="mt-12 flex flex-wrap justify-between gap-3 border-t pt-5" data-print="no">
          {previous && (
            <Step to={previous} label="Previous">
              <ArrowLeft aria-hidden className="size-4" />
              {previous.label}
            </Step>
          )}
          {next && (
            <Step to={next} label="Next">
              {next.label}
              <ArrowRight aria-hidden className="size-4" />
            </Step>
          )}
        </nav>
      </article>
      {headings.length > 2 && (
        <aside aria-label="On this page" className="max-xl:hidden" data-print="no">
          <div className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto">
            <p className="mb-2 text-tiny font-bold text-ink-3">On this page</p>
            <Contents headings={headings} />
          </div>
        </aside>
      )}
    </div>
  );
}

const Step = ({ to, label, children }: { to: Neighbour; label: string; children: ReactNode }) => (
  <Link
    href={to.path}
    className="group grid min-h-11 gap-0.5 rounded-control text-control no-underline last:ml-auto last:text-right"
  >
    <span className="text-tiny text-ink-3">{label}</span>
    <span className="inline-flex items-center gap-1.5 font-medium text-ink group-hover:underline">{children}</span>
  </Link>
);

const Contents = ({ headings }: { headings: readonly Heading[] }) => (
  <ul className="grid gap-0.5 pb-3 text-small">
    {headings.map(({ id, text, depth }) => (
      <li key={id} className={depth === 3 ? "pl-3" : undefined}>
        <a
          href={`#${id}`}
          className="block min-h-7 py-1 text-ink-2 no-underline wrap-break-word hover:text-ink max-xl:flex max-xl:min-h-11 max-xl:flex-wrap max-xl:items-center"
        >
          {text.split(/(?<=\/)/).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a heading never change
            <Fragment key={index}>
              {part}
              <wbr />
            </Fragment>
          ))}
        </a>
      </li>
    ))}
  </ul>
);

type CodeBlockProps = { code: string; html: string; language: string };

/** A code block of a page, with a copy button. `html` is escaped and highlighted. */
const CodeBlock = ({ code, html, language }: CodeBlockProps) => (
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
