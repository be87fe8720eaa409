import { AddressTag } from "@/components/ui/address-tag";

/** An agent by its self-given name and its id. */
export function AgentTag({ agentId, name }: { agentId: string; name: string }) {
  return (
    <span className="inline-grid max-w-full justify-items-end gap-0.5">
      <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>
      <AddressTag address={agentId} noun="agent id" />
    </span>
  );
}
