import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Note } from "@/components/ui/note";

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

type Snippet = {
  /** The link's URL. */
  url: string;
  /** For example "Pay 1.25 USDC". */
  label: string;
  /** The script of the button and the hash of its bytes. */
  script: { url: string; integrity: string };
};

/** HTML without inline styles or scripts: the site's Content-Security-Policy needs no exception for them. */
export const buttonSnippet = ({ url, label, script }: Snippet): string =>
  `<script src="${escaped(script.url)}" integrity="${escaped(script.integrity)}" crossorigin="anonymous" defer></script>
<a href="${escaped(url)}" data-tessera-link="${escaped(url)}">${escaped(label)}</a>`;

export const frameSnippet = ({ url }: Snippet): string =>
  `<iframe src="${escaped(framedUrl(url))}" title="Checkout" width="100%" height="760" allow="clipboard-write" referrerpolicy="origin"></iframe>`;

/** The URL of a link's checkout for frames. */
export function framedUrl(url: string): string {
  const framed = new URL(url);
  framed.pathname = `/embed${framed.pathname}`;
  return framed.href;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
