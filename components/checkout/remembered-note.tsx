import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";

export type RememberedNoteProps = { receiptHref: string | null };

/** A payment of this browser for a deleted link. Without a response to the payment, `receiptHref` is null. */
export function RememberedNote({ receiptHref }: RememberedNoteProps) {
  if (receiptHref === null) {
    return (
      <Note tone="warn" title="You signed a payment at this link, and we had no clear answer">
        Look at your wallet before you pay the seller in another way. What you signed can move money only once, and not
        after 15 minutes.
      </Note>
    );
  }
  return (
    <Note
      tone="info"
      title="You have paid at this link before"
      actions={
        <ButtonLink size="small" href={receiptHref}>
          See the receipt
        </ButtonLink>
      }
    >
      This browser remembers it. What you paid for is yours although the link is gone.
    </Note>
  );
}
