import { Badge } from "@/components/ui/badge";

/** Marks every devnet page: its money has no value. */
export function DevnetChip() {
  return (
    <span title="Local chains with test money. Nothing here has value." className="inline-flex whitespace-nowrap">
      <Badge tone="warn">
        {/* The narrowest phones have no room for both words next to the header's buttons. */}
        <span className="max-[22.5rem]:sr-only">Local</span> devnet
      </Badge>
    </span>
  );
}
