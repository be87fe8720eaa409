import type { OfferTexts } from "@/components/texts/en/offer";
import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";
import { withLanguage } from "./with-language";

export type RememberedNoteProps = { receiptHref: string | null; texts: OfferTexts["remembered"] };

/** Shown when this browser paid for a link that was then deleted. `receiptHref` is null if the payment was never answered. */
export function RememberedNote({ receiptHref, texts }: RememberedNoteProps) {
  if (receiptHref === null) {
    return (
      <Note tone="warn" title={texts.unansweredTitle}>
        {texts.unansweredText}
      </Note>
    );
  }
  return (
    <Note
      tone="info"
      title={texts.paidTitle}
      actions={
        <ButtonLink size="small" href={withLanguage(receiptHref)}>
          {texts.seeReceipt}
        </ButtonLink>
      }
    >
      {texts.paidText}
    </Note>
  );
}
