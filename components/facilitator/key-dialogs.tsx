"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { TextField, type TextFieldProps } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Note } from "@/components/ui/note";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { toast } from "@/components/ui/toast";
import { NAME_MAX } from "@/lib/core/lengths";
import { callApi } from "@/lib/http/client";

export type KeyTerms = { name: string; requestsPerMinute: number; settlementsPerDay: number };
/** The largest values. */
export type KeyLimits = Pick<KeyTerms, "requestsPerMinute" | "settlementsPerDay">;
export type KeyFormProps<T> = {
  title: string;
  verb: string;
  now: KeyTerms;
  limits: KeyLimits;
  request: { method: "POST" | "PATCH"; path: `/${string}` };
  onSaved: (response: T) => void;
  close: () => void;
};

type Failure = { message: string; field: string | undefined };

/** The name and the limits of an API key. */
function KeyForm<T>({ title, verb, now: terms, limits, request, onSaved, close }: KeyFormProps<T>) {
  const router = useRouter();
  const [name, setName] = useState(terms.name);
  const [requests, setRequests] = useState(String(terms.requestsPerMinute));
  const [settlements, setSettlements] = useState(String(terms.settlementsPerDay));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);

  async function submit() {
    if (name.trim() === "") return setFailure({ message: "Enter a name, for example, Weather API.", field: "name" });
    for (const [field, text] of [
      ["requestsPerMinute", requests],
      ["settlementsPerDay", settlements],
    ] as const) {
      if (!isWithin(text, limits[field]))
        return setFailure({ message: `Enter a whole number from 1 to ${limits[field].toLocaleString("en")}.`, field });
    }
    setFailure(undefined);
    setBusy(true);
    const body = { name: name.trim(), requestsPerMinute: Number(requests), settlementsPerDay: Number(settlements) };
    const response = await callApi<T>(request.method, request.path, body);
    setBusy(false);
    router.refresh();
    if (response.ok) return onSaved(response.data);
    const field = response.details?.field;
    setFailure({ message: sentenceFor(response), field: typeof field === "string" ? field : undefined });
  }

  const errorOf = (field: keyof KeyTerms) => (failure?.field === field ? failure.message : undefined);
  const isNamed = failure?.field !== undefined && Object.hasOwn(terms, failure.field);
  return (
    <FormDialog
      title={title}
      description="Give each of your servers its own key, so that you can revoke one without stopping the others."
      verb={verb}
      isBusy={isBusy}
      submit={submit}
      close={close}
    >
      <TextField
        label="Name"
        dir="auto"
        autoComplete="off"
        maxLength={NAME_MAX}
        placeholder="Weather API"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={errorOf("name")}
      />
      <LimitField
        label="Requests per minute"
        hint="Verifying and settling a payment takes two."
        value={requests}
        set={setRequests}
        error={errorOf("requestsPerMinute")}
      />
      <LimitField
        label="Settlements per day"
        hint="More are refused, and no money moves."
        value={settlements}
        set={setSettlements}
        error={errorOf("settlementsPerDay")}
      />
      {failure && !isNamed && (
        <Note tone="bad" live="assertive">
          {failure.message}
        </Note>
      )}
    </FormDialog>
  );
}

type LimitFieldProps = Pick<TextFieldProps, "label" | "hint" | "error"> & {
  value: string;
  set: (text: string) => void;
};

const LimitField = ({ set, ...field }: LimitFieldProps) => (
  <TextField {...field} inputMode="numeric" autoComplete="off" onChange={(event) => set(event.target.value)} />
);

const isWithin = (text: string, max: number) => /^[1-9]\d{0,6}$/.test(text.trim()) && Number(text) <= max;

type NewKeyProps = { usual: KeyLimits; limits: KeyLimits; isFull: boolean };

/** Creates an API key, and shows its secret. */
export function NewKey({ usual, limits, isFull }: NewKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Button variant="primary" disabled={isFull} onClick={() => setOpen(true)}>
        Create key
      </Button>
      {isOpen && (
        <KeyForm<{ secret: string }>
          title="Create a key"
          verb="Create key"
          now={{ name: "", ...usual }}
          limits={limits}
          request={{ method: "POST", path: "/api/facilitator/keys" }}
          onSaved={(created) => {
            setOpen(false);
            setSecret(created.secret);
          }}
          close={() => setOpen(false)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title="Store the key"
          secret={secret}
          risk="Anybody who has it can settle payments in your name, within its limits. It moves none of your money."
          close={() => setSecret(undefined)}
        >
          The key works now. Your server sends it as <code className="mono">Authorization: Bearer …</code> when it
          verifies and settles a payment.
        </SecretDialog>
      )}
    </>
  );
}

type KeyActionsProps = { keyId: string; now: KeyTerms; limits: KeyLimits };

export function KeyActions({ keyId, now: terms, limits }: KeyActionsProps) {
  const router = useRouter();
  const [open, setOpen] = useState<"edit" | "revoke">();
  const path = `/api/facilitator/keys/${keyId}` as const;
  const close = () => setOpen(undefined);

  async function revoke(): Promise<string | undefined> {
    const response = await callApi("DELETE", path);
    if (!response.ok) return sentenceFor(response);
    toast.success("Key revoked");
    router.refresh();
    return undefined;
  }

  return (
    <div className="flex flex-wrap justify-end gap-1">
      <Button size="small" variant="quiet" aria-label={`Edit ${terms.name}`} onClick={() => setOpen("edit")}>
        Edit
      </Button>
      <Button
        size="small"
        variant="quiet"
        className="text-bad! hover:text-bad-2!"
        aria-label={`Revoke ${terms.name}`}
        onClick={() => setOpen("revoke")}
      >
        Revoke
      </Button>
      {open === "edit" && (
        <KeyForm
          title="Edit key"
          verb="Save changes"
          now={terms}
          limits={limits}
          request={{ method: "PATCH", path }}
          onSaved={() => {
            toast.success("Key updated");
            close();
          }}
          close={close}
        />
      )}
      <Confirm
        open={open === "revoke"}
        onOpenChange={(next) => !next && close()}
        title={
          <>
            Revoke <bdi className="[overflow-wrap:anywhere]">{terms.name}</bdi>
          </>
        }
        verb="Revoke key"
        onConfirm={revoke}
      >
        Servers that use this key can no longer verify or settle payments. Payments that are being settled go on, and
        all stay in the list. This cannot be undone.
      </Confirm>
    </div>
  );
}
