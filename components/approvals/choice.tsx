import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { CheckboxField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { NETWORKS } from "@/lib/x402/networks";
import { RejectItem } from "./reject-item";
import type { TogetherItem } from "./together-types";

export type ChoiceProps = {
  item: TogetherItem;
  rejectPath: `/${string}`;
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
};

/** One request among those that are approved together. */
export function Choice({ item, rejectPath, isChosen, choose }: ChoiceProps) {
  const { amount, network, to, hint, purpose, href, linkLabel, alone, opensBeside, isFirst, isRepeat } = item;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <CheckboxField
        label={
          <span className="[overflow-wrap:anywhere]">
            <Amount atomic={amount} /> to {to}
          </span>
        }
        hint={
          <span className="[overflow-wrap:anywhere]">
            {hint}
            {NETWORKS[network].isTestnet && `, ${NETWORKS[network].label}`}
            {purpose !== null && (
              <span className="mt-0.5 line-clamp-2 block text-ink">
                “<bdi>{purpose}</bdi>”
              </span>
            )}
          </span>
        }
        checked={isChosen}
        disabled={alone !== null}
        onChange={(event) => choose(event.target.checked)}
      />
      <span className="flex flex-wrap items-center gap-2">
        {isRepeat && <Badge tone="warn">Looks like the request above</Badge>}
        {alone !== null ? (
          <Badge tone="bad">{alone}</Badge>
        ) : (
          isFirst && <Badge tone="warn">First payment to this address</Badge>
        )}
        <Link
          href={href}
          {...(opensBeside && { "data-opens": "" })}
          aria-label={linkLabel}
          className="inline-flex min-h-9 items-center text-small underline underline-offset-4 max-md:min-h-11"
        >
          {alone !== null ? "Compare it" : "See it"}
        </Link>
        <RejectItem path={rejectPath} label={`Reject: ${linkLabel}`} />
      </span>
    </div>
  );
}
