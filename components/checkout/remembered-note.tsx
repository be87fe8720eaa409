import type { OfferTexts } from "@/components/texts/en/offer";
import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";
import { withLanguage } from "./with-language";

export type RememberedNoteProps = { receiptHref: string | null; texts: OfferTexts["remembered"] };

/** A payment of this browser for a deleted link. Without a response to the payment, `receiptHref` is null. */
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
