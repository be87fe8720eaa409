import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Note } from "@/components/ui/note";
import { buttonSnippet, frameSnippet, type Snippet } from "./embed-snippets";

export type LinkEmbedProps = Snippet & {
  /** The origins that the owner has verified. */
  origins: readonly string[];
};

/** Snippets with which a site shows the checkout of a link. */
export function LinkEmbed({ origins, ...snippet }: LinkEmbedProps) {
  return (
    <Card title="Embed" aria-label="Embed" className="grid gap-5 [&>header]:mb-0">
      {origins.length === 0 ? (
        <Note
          tone="info"
          title="Verify the domain of your site first"
          actions={
            <ButtonLink href="/dashboard/settings#domains" size="small">
              Verify a domain
            </ButtonLink>
          }
        >
          Your site can show this checkout on its own pages, with a button or in a frame. To protect buyers, only sites
          on domains that you have verified can do so.
        </Note>
      ) : (
        <>
          <p className="text-control text-ink-2">
            Pages of these sites can show this checkout:{" "}
            {origins.map((origin, index) => (
              <span key={origin}>
                {index > 0 && ", "}
                <bdi className="text-ink [overflow-wrap:anywhere]">{origin}</bdi>
              </span>
            ))}
            .
          </p>
          <Code title="Button" text={buttonSnippet(snippet)}>
            Opens the checkout over your page. On phones and without the script, it is a link.
          </Code>
          <Code title="Frame" text={frameSnippet(snippet)}>
            Shows the checkout as a part of your page.
          </Code>
          <p className="measure text-small text-ink-2">
            Your page receives a message when a payment ends. A message is only a hint, because code on your page can
            fake it: deliver after the webhook <code className="mono">payment_link.paid</code> or a look at the API.{" "}
            <a href="/docs/payment-links#on-your-own-page" className="underline underline-offset-4">
              Guide
            </a>
          </p>
        </>
      )}
    </Card>
  );
}

function Code({ title, text, children }: { title: string; text: string; children: string }) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="text-control">{title}</h3>
        <Copy value={text} label={`Copy ${title.toLowerCase()}`} />
      </div>
      <p className="text-small text-ink-2">{children}</p>
      <section
        aria-label={`${title}, HTML`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        className="max-h-60 overflow-auto rounded-control bg-sunk p-3.5"
      >
        <pre dir="ltr" className="text-tiny leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </pre>
      </section>
    </div>
  );
}
