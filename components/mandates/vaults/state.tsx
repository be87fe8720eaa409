import { Badge } from "@/components/ui/badge";
import { Note } from "@/components/ui/note";
import type { VaultView } from "./types";
import { isEmpty, VAULT_STATES } from "./words";

export const VaultBadge = ({ state }: Pick<VaultView, "state">) => (
  <Badge tone={VAULT_STATES[state].tone}>{VAULT_STATES[state].word}</Badge>
);

/** What the state means for the money; the reason if the vault was not opened. */
export function VaultStateNote(vault: Pick<VaultView, "state" | "failure" | "balance" | "pocket">) {
  const { state, failure, balance } = vault;
  const { says } = VAULT_STATES[state];
  switch (state) {
    case "open":
      return null;
    case "opening":
      return <Note tone="info">{says}</Note>;
    case "closing":
      return <Note tone="warn">{says}</Note>;
    case "closed":
      return (
        <Note>
          {says} {isEmpty(vault) ? "It is empty." : "What was sent to it since goes to your own wallet within a day."}
        </Note>
      );
    case "failed":
      return (
        <Note tone="bad" title="The vault was not opened">
          {failure !== null && `${failure}. `}
          {balance === 0n && "The chain shows no money in it. "}
          {says}
        </Note>
      );
    default:
      return state satisfies never;
  }
}
