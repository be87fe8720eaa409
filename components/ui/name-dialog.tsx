"use client";

import { type ReactNode, useState } from "react";
import { NAME_MAX } from "@/lib/core/lengths";
import { TextField } from "./field";
import { FormDialog } from "./form-dialog";

export type NameDialogProps = {
  title: string;
  description: ReactNode;
  /** The current name. */
  name: string;
  save: (name: string) => Promise<void>;
  isBusy: boolean;
  /** The reason why the name was not changed. */
  failure: string | undefined;
  close: () => void;
};

/** A dialog with one field for a new name. */
export function NameDialog({ title, description, name, save, isBusy, failure, close }: NameDialogProps) {
  const [text, setText] = useState(name);
  const [isEmpty, setEmpty] = useState(false);

  function change(next: string) {
    setText(next);
    setEmpty(false);
  }

  function submit() {
    const newName = text.trim();
    setEmpty(newName === "");
    if (newName !== "") void save(newName);
  }

  return (
    <FormDialog title={title} description={description} verb="Save name" isBusy={isBusy} submit={submit} close={close}>
      <NameField value={text} set={change} error={isEmpty ? NAMELESS : failure} />
    </FormDialog>
  );
}

export const NAMELESS = `Give it a name of 1 to ${NAME_MAX} characters.`;

export type NameFieldProps = { value: string; set: (name: string) => void; error: string | undefined };

export const NameField = ({ value, set, error }: NameFieldProps) => (
  <TextField
    label="Name"
    dir="auto"
    maxLength={NAME_MAX}
    autoComplete="off"
    value={value}
    onChange={(event) => set(event.target.value)}
    error={error}
  />
);
