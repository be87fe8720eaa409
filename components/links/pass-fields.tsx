"use client";

import { CheckboxField, TextField } from "@/components/ui/field";
import { UsdcField } from "@/components/ui/usdc-field";
import { COST_HEADER, COST_META } from "@/lib/links/passes/limits";
import type { LinkForm } from "./use-link-form";

type Props = { form: LinkForm };

/** A pass for the calls of an API. */
export function PassFields({ form: { draft, faults, change } }: Props) {
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-2.5 text-small font-medium">A pass: many calls for one payment</legend>
      <UsdcField
        label="Price of the pass"
        aside="Optional"
        value={draft.passAmount}
        onText={(passAmount) => change({ passAmount })}
        error={faults.passAmount}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {!draft.isPassByUse && (
          <TextField
            label="Calls"
            inputMode="numeric"
            autoComplete="off"
            value={draft.passCalls}
            onChange={(event) => change({ passCalls: event.target.value })}
            hint="If empty, any number."
            error={faults.passCalls}
          />
        )}
        <TextField
          label="Valid for"
          suffix="hours"
          inputMode="numeric"
          autoComplete="off"
          value={draft.passHours}
          onChange={(event) => change({ passHours: event.target.value })}
          hint={draft.isPassByUse ? "If empty, until it is used up." : "If empty, until its calls are used."}
          error={faults.passHours}
        />
      </div>
      <CheckboxField
        label="Priced by what is used"
        hint={`${draft.upstreamKind === "mcp" ? `A result says in _meta (${COST_META})` : `Your API says in ${COST_HEADER}`} what a call cost, at most its price. The rest stays in the pass.`}
        checked={draft.isPassByUse}
        onChange={(event) => change({ isPassByUse: event.target.checked })}
      />
      <CheckboxField
        label="I pay back what is unused"
        hint="Buyers read this. You refund it yourself, when they ask."
        checked={draft.isPassRefundable}
        onChange={(event) => change({ isPassRefundable: event.target.checked })}
      />
    </fieldset>
  );
}
