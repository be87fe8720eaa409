import { Amount } from "@/components/ui/amount";
import { Card } from "@/components/ui/card";
import { JsonView } from "@/components/ui/json-view";
import { Tabs } from "@/components/ui/tabs";
import type { ScanRequest } from "./drafts";
import type { Offer } from "./scanners";
import { snippetsFor } from "./snippets";

export type UseItProps = { offer: Offer; baseUrl: string; request: ScanRequest | null };

/** Lines of code do not wrap, so the copy button has a strip of its own above them. */
const CODE =
  "rounded-control bg-sunk pt-10 max-sm:pt-14 [&_pre]:pt-0 [&_pre]:pr-4 [&_pre]:whitespace-pre [&_section]:max-h-100";

/** The same request as code, and what the service takes for it. */
export function UseIt({ offer, baseUrl, request }: UseItProps) {
  if (offer.price === null) return null;
  return (
    <Card title="Ask from your agent" className="grid gap-4 [&>header]:mb-0">
      <p className="measure text-control text-ink-2">
        Your agent has the same verdict from the service, for <Amount value={offer.price} unit={offer.currency} /> a
        scan, paid by x402 under a mandate that you signed. A request that is refused costs nothing.
      </p>
      {request ? (
        <Tabs
          label="Ways to ask"
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
        <p className="text-control text-ink-2">Once the input can be read, it stands here as code to copy.</p>
      )}
    </Card>
  );
}
