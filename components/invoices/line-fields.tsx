import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { UsdcField } from "@/components/ui/usdc-field";
import { LINES_MAX } from "@/lib/invoices/limits";
import type { InvoiceForm } from "./use-invoice-form";

/** What is charged, line by line. */
export function LineFields({ form }: { form: InvoiceForm }) {
  const { draft, faults, changeLine, addLine, removeLine } = form;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 text-body font-medium">Lines</legend>
      {draft.lines.map((line, index) => (
        <fieldset key={line.key} className="grid gap-3 border-b pb-4">
          <legend className="sr-only">Line {index + 1}</legend>
          <div className="flex items-end gap-2">
            <TextField
              label="Description"
              dir="auto"
              autoComplete="off"
              value={line.description}
              onChange={(event) => changeLine(line.key, { description: event.target.value })}
              error={faults[`lines.${index}.description`]}
              className="flex-1"
            />
            {draft.lines.length > 1 && (
              <IconButton
                label={`Remove line ${index + 1}`}
                icon={<Trash2 aria-hidden />}
                onClick={() => removeLine(line.key)}
                className="mb-1 self-start mt-7"
              />
            )}
          </div>
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="Quantity"
              inputMode="decimal"
              autoComplete="off"
              value={line.quantity}
              onChange={(event) => changeLine(line.key, { quantity: event.target.value })}
              error={faults[`lines.${index}.quantity`]}
            />
            <UsdcField
              label="Unit price"
              value={line.unitPrice}
              onText={(unitPrice) => changeLine(line.key, { unitPrice })}
              error={faults[`lines.${index}.unitPrice`]}
            />
          </div>
        </fieldset>
      ))}
      <div>
        <Button size="small" onClick={addLine} disabled={draft.lines.length >= LINES_MAX}>
          <Plus aria-hidden />
          Add a line
        </Button>
      </div>
    </fieldset>
  );
}
