import { parseUrl } from "@tessera/x402/url";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import { formatUsdc, parseUsdc } from "@/lib/core/usdc";
import { altOf } from "@/lib/links/images/image";
import { TRIES_MAX } from "@/lib/links/upstream/limits";
import { NETWORKS } from "@/lib/x402/networks";
import type { LinkDraft } from "./draft-types";
import { LinkImage } from "./link-image";

export type LinkPreviewProps = {
  draft: LinkDraft;
  agentName: string;
  /** Uses that are already taken. */
  taken?: number | undefined;
  className?: string;
};

/** Live preview of the checkout. Invalid input is shown as empty. */
export function LinkPreview({ draft, agentName, taken: usedCount = 0, className }: LinkPreviewProps) {
  const uses = /^\s*[1-9]\d*\s*$/.test(draft.maxUses) ? Number(draft.maxUses) : null;
  const expiresAt = draft.expiresAt === "" ? null : new Date(draft.expiresAt);
  const isMoment = expiresAt !== null && !Number.isNaN(expiresAt.getTime());
  const host = parseUrl(draft.redirectUrl)?.host ?? "";
  return (
    <section aria-label="Preview of the checkout" className={cx("grid min-w-0 gap-2.5 lg:sticky lg:top-7", className)}>
      <p className="text-small text-ink-2">What buyers see</p>
      <Card lift className="grid gap-5">
        <div>
          <p className="text-small text-ink-2">Seller (name not verified)</p>
          <p className="font-medium [overflow-wrap:anywhere]">
            “<bdi>{agentName}</bdi>”
          </p>
        </div>
        {draft.imageUrl !== "" && (
          <LinkImage image={{ url: draft.imageUrl, alt: altOf(draft) }} words="Image of what is sold" />
        )}
        <div className="grid gap-2">
          {draft.title.trim() !== "" && (
            <p dir="auto" className="text-[1.125rem] leading-snug font-medium [overflow-wrap:anywhere]">
              {draft.title}
            </p>
          )}
          <Price draft={draft} />
          <div className="mt-1 flex flex-wrap gap-2">
            <Badge tone="info">{NETWORKS[draft.network].label}</Badge>
            {uses !== null && (
              <Badge tone="plain">
                <span className="num">{usesLeft(uses, usedCount)}</span>
              </Badge>
            )}
          </div>
        </div>
        {draft.description !== "" && <Quote by="The seller says">{draft.description}</Quote>}
        <Facts className="border-t pt-4">
          <Fact label="You get">{whatYouGet(draft)}</Fact>
          {draft.isApi && <Fact label="If it fails">up to {TRIES_MAX} tries within an hour</Fact>}
          {!draft.isApi && host !== "" && (
            <Fact label="Then">
              back to <bdi>{host}</bdi>
            </Fact>
          )}
          {isMoment && (
            <Fact label="Can be paid until">
              <Time at={expiresAt} form="short" show="absolute" />
            </Fact>
          )}
        </Facts>
      </Card>
    </section>
  );
}

/** As the checkout shows it: a fixed price, the price of one, or a range. */
function Price({ draft }: { draft: LinkDraft }) {
  const [amount, min, max] = [draft.amount, draft.minAmount, draft.maxAmount].map(parseUsdc);
  if (min && max)
    return (
      <>
        <p className="text-small text-ink-2">You choose what you pay</p>
        <p className="text-body num">
          {usdcText(min)} to {usdcText(max)}
        </p>
      </>
    );
  return (
    <>
      <p className="text-small text-ink-2">{Number(draft.maxQuantity) > 1 ? "Price of one" : "You pay"}</p>
      <p>
        <Amount value={amount ? formatUsdc(amount) : "0"} size="big" />
      </p>
    </>
  );
}

function whatYouGet({ resourceContent, fileId, isApi, upstreamKind }: LinkDraft): string {
  if (isApi) return upstreamKind === "mcp" ? "the result of one call" : "the answer to one request";
  if (fileId !== "")
    return resourceContent === "" ? "a file, right after payment" : "the content and a file, right after payment";
  return resourceContent === "" ? "a receipt" : "the content, right after payment";
}

const usesLeft = (uses: number, usedCount: number) =>
  uses === 1 && usedCount === 0 ? "Can be paid once" : `${Math.max(0, uses - usedCount)} of ${uses} left`;
