import { AddressTag } from "@/components/ui/address-tag";
import { Fact } from "@/components/ui/facts";
import { addressesText, type Release, releaseText } from "./words";

export type VaultTermsProps = {
  release: Release | null;
  agentKey: string | null;
  payees: readonly string[] | null;
};

/** The vault's terms beyond the mandate's limits, as Facts. */
export const VaultTerms = ({ release, agentKey, payees }: VaultTermsProps) => (
  <>
    <Fact label="Release">{release === null ? "all at once" : releaseText(release)}</Fact>
    <Fact label="Payees">
      {payees === null ? "any address; our server checks hosts, the contract does not" : <Payees payees={payees} />}
    </Fact>
    <Fact label="Agent’s own key">
      {agentKey === null ? (
        "none: payments need our signature only"
      ) : (
        <span className="inline-grid max-w-full justify-items-end gap-0.5">
          <AddressTag address={agentKey} />
          <span className="text-small text-ink-2">signs each payment as well</span>
        </span>
      )}
    </Fact>
  </>
);

const Payees = ({ payees }: { payees: readonly string[] }) => (
  <details className="group">
    <summary className="cursor-pointer underline decoration-line-2 underline-offset-4 max-sm:py-2.5">
      only {addressesText(payees.length)}
    </summary>
    <ul aria-label="Addresses it may pay" className="mt-2 grid max-h-60 justify-items-end gap-1 overflow-y-auto">
      {payees.map((payee) => (
        <li key={payee} className="max-w-full text-small mono [overflow-wrap:anywhere]">
          {payee}
        </li>
      ))}
    </ul>
  </details>
);

/** Decodes the typed data: zero and an empty list mean no agent key, release at once, or any payee. */
export function termsOf({ agentKey, releaseAmount, releaseSeconds, payees }: SignedTerms): VaultTermsProps {
  return {
    release: releaseSeconds === 0 ? null : { amount: BigInt(releaseAmount), seconds: releaseSeconds },
    agentKey: /^0x0{40}$/.test(agentKey) ? null : agentKey,
    payees: payees.length === 0 ? null : payees,
  };
}

type SignedTerms = { agentKey: string; releaseAmount: string; releaseSeconds: number; payees: readonly string[] };
