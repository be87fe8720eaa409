"use client";

import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { TextField } from "./field";

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
  const form = useId();
  const [text, setText] = useState(name);
  const [isEmpty, setEmpty] = useState(false);

  function change(next: string) {
    setText(next);
    setEmpty(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const given = text.trim();
    setEmpty(given === "");
    if (given !== "") void save(given);
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={close} disabled={isBusy}>
            Go back
          </Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy}>
            Save name
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        <NameField value={text} set={change} error={isEmpty ? NAMELESS : failure} />
      </form>
    </Dialog>
  );
}

export const NAMELESS = "Give it a name of 1 to 100 characters.";

export type NameFieldProps = { value: string; set: (name: string) => void; error: string | undefined };

export const NameField = ({ value, set, error }: NameFieldProps) => (
  <TextField
    label="Name"
    dir="auto"
    maxLength={100}
    autoComplete="off"
    value={value}
    onChange={(event) => set(event.target.value)}
    error={error}
  />
);
