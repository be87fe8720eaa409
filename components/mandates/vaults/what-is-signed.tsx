import { AddressTag } from "@/components/ui/address-tag";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { MESSAGES } from "@/lib/clear-signing/words";
import type { Place, VaultDraft } from "./types";

const PAID = MESSAGES.ReceiveWithAuthorization.members;
const DRAWN = MESSAGES.Permit.members;

/** The descriptor's intent, as wallets with ERC-7730 show it, then the type name, as other wallets show it. */
const shownAs = (name: "ReceiveWithAuthorization" | "SpendingMandate" | "Permit"): string =>
  `“${MESSAGES[name].intent}” or ${name}`;

export type WhatIsSignedProps = { draft: VaultDraft; place: Exclude<Place, "wallet">; amount: bigint };

/** What the wallet will show, for comparison, and the mandate that the signature covers. */
export function WhatIsSigned({ draft, place, amount }: WhatIsSignedProps) {
  const { address, terms, mandateHash } = draft;
  return (
    <div className="grid gap-4">
      <Facts className="text-small">
        {place === "vault_now" ? (
          <>
            <Fact label="Your wallet shows">{shownAs("ReceiveWithAuthorization")}</Fact>
            <Fact label={`${PAID.to.label}, the vault`}>
              <AddressTag address={address} tileSize={18} />
            </Fact>
            <Fact label={PAID.value.label}>{usdcText(amount)}</Fact>
            <Fact label={PAID.nonce.label}>
              <AddressTag address={mandateHash} noun="mandate hash" tile={false} />
            </Fact>
          </>
        ) : (
          <>
            <Fact label="Your wallet shows">
              {shownAs("SpendingMandate")}, then {shownAs("Permit")}
            </Fact>
            <Fact label={`${DRAWN.spender.label}, the vault`}>
              <AddressTag address={address} tileSize={18} />
            </Fact>
            <Fact label={DRAWN.value.label}>{usdcText(BigInt(terms.limit))}</Fact>
          </>
        )}
        <Fact label="Valid">for one hour; the vault’s own terms are below</Fact>
      </Facts>
      <p className="text-small text-ink-2">
        The vault’s address is derived from these terms: paying into it is agreeing to them. They contain the hash of
        the mandate, and nothing can change them.
      </p>
      <JsonView value={draft} label="typed data" />
    </div>
  );
}
