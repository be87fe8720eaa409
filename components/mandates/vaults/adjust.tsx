"use client";

import { SelectField, TextArea } from "@/components/ui/field";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import { DraftForm, useDraft } from "../draft-form";
import { adjusted, type Draft, type Fault, isSame } from "./adjusted";
import type { VaultTermsProps } from "./vault-terms";
import { periodText } from "./words";

export type AdjustProps = { mandateId: string; terms: Pick<VaultTermsProps, "release" | "payees"> };

/** Changes the terms that only the vault's contract enforces: the release rate and the payees. */
export function Adjust({ mandateId, terms }: AdjustProps) {
  const form = useDraft<Draft, Exclude<Fault["field"], "form">>({
    mandateId,
    first: () => draftOf(terms),
    version: JSON.stringify(draftOf(terms)),
    bodyOf: (draft) => {
      const result = adjusted(draft);
      if (result.type === "invalid") return result;
      const { release, payees } = result.change;
      if (isSame(result.change, terms)) return { type: "valid", body: null };
      return {
        type: "valid",
        body: { vault: { payees, release: release && { ...release, amount: String(release.amount) } } },
      };
    },
  });
  const { draft, change, choose, faultOf } = form;

  return (
    <DraftForm form={form} problem={faultOf("form")}>
      <SelectField
        label="Release the limit"
        options={[
          { value: "whole", label: "All at once" },
          ...periodsWith(terms.release?.seconds).map((seconds) => ({
            value: String(seconds),
            label: `In parts, every ${periodText(seconds)}`,
          })),
        ]}
        value={draft.isInParts ? draft.seconds : "whole"}
        onChange={({ target: { value } }) =>
          value === "whole" ? choose({ isInParts: false }) : change({ isInParts: true, seconds: value })
        }
        hint="The contract counts total spending, so an amount not spent in one period stays released."
      />
      {draft.isInParts && (
        <UsdcField
          label="Released in each period"
          value={draft.amount}
          onText={(amount) => change({ amount })}
          error={faultOf("amount")}
        />
      )}
      <TextArea
        label="Only these addresses"
        aside="Optional"
        rows={3}
        spellCheck={false}
        autoCapitalize="off"
        placeholder="0x…"
        value={draft.payees}
        onChange={(event) => change({ payees: event.target.value })}
        hint="One per line. If empty, the contract lets it pay any address within the limits."
        error={faultOf("payees")}
      />
    </DraftForm>
  );
}

const PERIODS = [3_600, 86_400, 604_800, 2_592_000] as const;

/** The usual periods, and the one that the agent proposed. */
const periodsWith = (proposed: number | undefined): number[] =>
  [...new Set([...PERIODS, ...(proposed === undefined ? [] : [proposed])])].sort((a, b) => a - b);

const draftOf = ({ release, payees }: AdjustProps["terms"]): Draft => ({
  isInParts: release !== null,
  amount: release === null ? "" : formatUsdc(toUsdc(release.amount)),
  seconds: String(release?.seconds ?? PERIODS[1]),
  payees: payees?.join("\n") ?? "",
});
