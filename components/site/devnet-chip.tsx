import { Badge } from "@/components/ui/badge";

/** Says on every devnet page that nothing here is worth anything. */
export function DevnetChip() {
  return (
    <span title="Local chains with test money. Nothing here has value." className="inline-flex whitespace-nowrap">
      <Badge tone="warn">
        {/* The narrowest phones have no room for both words beside the header's buttons. */}
        <span className="max-[22.5rem]:sr-only">Local</span> devnet
      </Badge>
    </span>
  );
}
