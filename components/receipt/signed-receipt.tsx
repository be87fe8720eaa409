import { Download } from "lucide-react";
import { buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { JsonView } from "@/components/ui/json-view";
import type { ReceiptClaims } from "@/lib/settlements/contract";

export type SignedReceiptProps = { claims: ReceiptClaims; jws: string };

/** The receipt for programs: what it says, and the signature that proves who says it. */
export function SignedReceipt({ claims, jws }: SignedReceiptProps) {
  return (
    <div data-print="no">
      <Disclosure summary="Signed receipt">
        <div className="grid gap-4">
          <p className="text-small text-ink-2">
            Our signature on what this page says, for a program to check against our published keys. It is no secret and
            proves no more than that this was paid.
          </p>
          <JsonView value={claims} label="the receipt" />
          <JsonView value={jws} label="the signed receipt" />
          <div className="flex flex-wrap gap-2.5">
            <Copy value={jws} label="Copy signed receipt" className="min-h-11" />
            <a
              href={`/api/settlements/${claims.sub}/receipt`}
              download={`receipt-${claims.sub}.json`}
              className={buttonClass({ size: "small" })}
            >
              <Download aria-hidden />
              Download JSON
            </a>
          </div>
        </div>
      </Disclosure>
    </div>
  );
}
