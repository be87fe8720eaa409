import { Amount } from "@/components/ui/amount";
import { Card } from "@/components/ui/card";
import { JsonView } from "@/components/ui/json-view";
import { Tabs } from "@/components/ui/tabs";
import type { ScanRequest } from "./drafts";
import type { Offer } from "./scanners";
import { snippetsFor } from "./snippets";

export type UseItProps = { offer: Offer; baseUrl: string; request: ScanRequest | null };

/** Code does not wrap, so the copy button is in a separate row above it. */
const CODE =
  "rounded-control bg-sunk pt-10 max-sm:pt-14 [&_pre]:pt-0 [&_pre]:pr-4 [&_pre]:whitespace-pre [&_section]:max-h-100";

/** The request in the editor as code, with its price. */
export function UseIt({ offer, baseUrl, request }: UseItProps) {
  if (offer.price === null) return null;
  return (
    <Card title="Scan from your agent" className="grid gap-4 [&>header]:mb-0">
      <p className="measure text-control text-ink-2">
        Your agent gets the same verdict from the service, for <Amount value={offer.price} unit={offer.currency} /> a
        scan, paid by x402 under a mandate that you signed. A rejected request costs nothing.
      </p>
      {request ? (
        <Tabs
          label="Code examples"
          tabs={snippetsFor(offer.url, baseUrl, request).map(({ value, label, needs, code }) => ({
            value,
            label,
            content: (
              <div className="grid gap-3">
                <p className="text-small text-ink-2">{needs}</p>
                <JsonView value={code} label={`as ${label}`} className={CODE} />
              </div>
            ),
          }))}
        />
      ) : (
        <p className="text-control text-ink-2">Code to copy appears here when the input is valid.</p>
      )}
    </Card>
  );
}
