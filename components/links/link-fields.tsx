"use client";

import type { ReactNode } from "react";
import { TextArea, TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { UsdcField } from "@/components/ui/usdc-field";
import { CONTENT_MAX } from "@/lib/links/rules";
import { ApiFields, type ApiFieldsProps } from "./api-fields";
import { lengthOf } from "./draft";
import { FileField, ImageField } from "./upload-fields";
import type { LinkForm } from "./use-link-form";

type Props = { form: LinkForm };

/** The price, which cannot be changed later. */
export function PriceField({ form: { draft, faults, change } }: Props) {
  return (
    <UsdcField
      label={!draft.isApi ? "Price" : draft.upstreamKind === "mcp" ? "Price of a call" : "Price of a request"}
      value={draft.amount}
      onText={(amount) => change({ amount })}
      error={faults.amount}
    />
  );
}

type OfferFieldsProps = Omit<ApiFieldsProps, "headerNames"> & {
  headerNames?: readonly string[] | undefined;
  children?: ReactNode;
};

/** What is sold. `children` follow the title. */
export function OfferFields({ form, headerNames = [], isNew, children }: OfferFieldsProps) {
  const { draft, faults, change } = form;
  const top = (
    <div className="grid items-start gap-5 sm:grid-cols-2 sm:*:only:col-span-2">
      <TextField
        label="Title"
        aside="Optional"
        dir="auto"
        autoComplete="off"
        value={draft.title}
        onChange={(event) => change({ title: event.target.value })}
        error={faults.title}
      />
      {children}
    </div>
  );
  if (draft.isApi)
    return (
      <>
        {top}
        <ApiFields form={form} headerNames={headerNames} isNew={isNew} />
      </>
    );
  return (
    <>
      {top}
      <ImageField form={form} />
      <TextArea
        label="What they get"
        aside={<Count text={draft.resourceContent} max={CONTENT_MAX} />}
        hint="Text, a web address or JSON. Only buyers see it. If empty, they get a receipt."
        dir="auto"
        rows={2}
        spellCheck={false}
        value={draft.resourceContent}
        onChange={(event) => change({ resourceContent: event.target.value })}
        error={faults.resourceContent}
      />
      <FileField form={form} />
    </>
  );
}

/** The share of the maximum from which on the length of a text is shown. */
const COUNTED_FROM = 0.8;

/** How much of a text's maximum is used, once it matters. */
export function Count({ text, max }: { text: string; max: number }) {
  const length = lengthOf(text);
  if (length < max * COUNTED_FROM) return "Optional";
  return (
    <span className={length > max ? "num text-bad" : "num"}>
      {formatCount(length)} of {formatCount(max)}
    </span>
  );
}
