import { Download } from "lucide-react";
import type { ReceiptTexts } from "@/components/texts/en/receipt";
import { buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { JsonView } from "@/components/ui/json-view";
import type { ReceiptClaims } from "@/lib/settlements/contract";

export type SignedReceiptProps = { claims: ReceiptClaims; jws: string };

/** The receipt for programs: what it says, and the signature that proves who says it. */
export function SignedReceipt({ claims, jws, texts }: SignedReceiptProps & { texts: ReceiptTexts }) {
  return (
    <div data-print="no">
      <Disclosure summary={texts.signed}>
        <div className="grid gap-4">
          <p className="text-small text-ink-2">{texts.signedText}</p>
          <JsonView value={claims} label={texts.claimsLabel} copyLabel={texts.copyClaims} />
          <JsonView value={jws} label={texts.signedLabel} copyLabel={texts.copySignedText} />
          <div className="flex flex-wrap gap-2.5">
            <Copy value={jws} label={texts.copySigned} className="min-h-11" />
            <a
              href={`/api/settlements/${claims.sub}/receipt`}
              download={`receipt-${claims.sub}.json`}
              className={buttonClass({ size: "small" })}
            >
              <Download aria-hidden />
              {texts.download}
            </a>
          </div>
        </div>
      </Disclosure>
    </div>
  );
}
