import { page } from "@/components/texts/en/page";
import { Badge } from "@/components/ui/badge";

type DevnetChipProps = {
  texts?: { local: string; devnet: string; devnetTitle: string } | undefined;
  /** Shows "devnet" only, where the whole name has no room. */
  isShort?: boolean | undefined;
};

/** Marks every devnet page: its money has no value. */
export function DevnetChip({ texts = page, isShort = false }: DevnetChipProps) {
  return (
    <span title={texts.devnetTitle} className="inline-flex whitespace-nowrap">
      <Badge tone="warn">
        {/* The narrowest phones have no room for both words next to the header's buttons. */}
        <span className={isShort ? "sr-only" : "max-[22.5rem]:sr-only"}>{texts.local}</span> {texts.devnet}
      </Badge>
    </span>
  );
}
