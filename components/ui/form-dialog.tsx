"use client";

import { type ReactNode, type Ref, useId } from "react";
import { Button } from "./button";
import { Dialog, type DialogProps } from "./dialog";
import { CANCELS } from "./dialog-focus";

export type FormDialogProps = Pick<DialogProps, "title" | "description"> & {
  /** The label of the submit button. */
  verb: string;
  isBusy: boolean;
  /** False while the form must not be submitted. */
  isReady?: boolean;
  submit: () => unknown;
  close: () => void;
  children: ReactNode;
  /** A second dialog. Rendered outside the form, because its events would submit the form. */
  nested?: ReactNode;
  formRef?: Ref<HTMLFormElement>;
};

/** An open dialog with a form. It cannot be closed while it is busy. */
export function FormDialog({
  title,
  description,
  verb,
  isBusy,
  isReady = true,
  submit,
  close,
  children,
  nested,
  formRef,
}: FormDialogProps) {
  const form = useId();
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={title}
      description={description}
      footer={
        <>
          <Button {...CANCELS} onClick={close} disabled={isBusy}>
            Go back
          </Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy} disabled={!isReady}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        ref={formRef}
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        noValidate
        className="grid gap-4"
      >
        {children}
      </form>
      {nested}
    </Dialog>
  );
}
