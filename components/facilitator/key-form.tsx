"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { TextField, type TextFieldProps } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Note } from "@/components/ui/note";
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
export function KeyForm<T>({ title, verb, now: terms, limits, request, onSaved, close }: KeyFormProps<T>) {
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
