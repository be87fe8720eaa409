import { Badge } from "@/components/ui/badge";

/** Says on every devnet page that nothing here is worth anything. */
export function DevnetChip() {
  return (
    <span title="Local chains with test money. Nothing here has value." className="inline-flex whitespace-nowrap">
      <Badge tone="warn">Local devnet</Badge>
    </span>
  );
}
