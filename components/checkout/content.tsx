import type { BoughtTexts } from "@/components/texts/en/payment";
import { filled } from "@/components/texts/filled";
import { Copy } from "@/components/ui/copy";
import { layOut } from "@/components/ui/lay-out";
import { LinkedText } from "@/components/ui/linked-text";

export type ContentProps = {
  text: string | null;
  seller: string | undefined;
  texts: BoughtTexts;
};

/** The purchased content. The seller's text is untrusted and rendered as text; only URLs become links. */
export function Content({ text, seller, texts }: ContentProps) {
  if (text === null) return null;
  const json = layOut(text);
  return (
    <section aria-label={texts.whatYouBought} className="grid gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 text-small font-medium [overflow-wrap:anywhere]">
          {seller === undefined ? texts.whatYouBought : filled(texts.from, { seller: <bdi>{seller}</bdi> })}
        </h3>
        <Copy value={text} label={texts.copy} />
      </div>
      <section
        aria-label={texts.content}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control bg-sunk p-4"
      >
        {json === null ? (
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LinkedText text={text} opens={texts.opens} />
          </p>
        ) : (
          <pre dir="ltr" className="text-tiny leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LinkedText text={json} opens={texts.opens} />
          </pre>
        )}
      </section>
    </section>
  );
}
