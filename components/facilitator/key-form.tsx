"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
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
  onSaved: (answer: T) => void;
  close: () => void;
};

type Failure = { message: string; field: string | undefined };

/** The name and the limits of an API key. */
export function KeyForm<T>({ title, verb, now, limits, request, onSaved, close }: KeyFormProps<T>) {
  const form = useId();
  const router = useRouter();
  const [name, setName] = useState(now.name);
  const [requests, setRequests] = useState(String(now.requestsPerMinute));
  const [settlements, setSettlements] = useState(String(now.settlementsPerDay));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
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
    const answer = await callApi<T>(request.method, request.path, body);
    setBusy(false);
    router.refresh();
    if (answer.ok) return onSaved(answer.data);
    const field = answer.details?.field;
    setFailure({ message: sentenceFor(answer), field: typeof field === "string" ? field : undefined });
  }

  const errorOf = (field: keyof KeyTerms) => (failure?.field === field ? failure.message : undefined);
  const isNamed = failure?.field !== undefined && failure.field in now;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={title}
      description="Give each of your servers its own key, so that you can revoke one without stopping the others."
      footer={
        <>
          <Button onClick={close} disabled={isBusy}>
            Go back
          </Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField
          label="Name"
          dir="auto"
          autoComplete="off"
          maxLength={100}
          placeholder="Weather API"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorOf("name")}
        />
        <TextField
          label="Requests per minute"
          hint="Verifying and settling a payment takes two."
          inputMode="numeric"
          autoComplete="off"
          value={requests}
          onChange={(event) => setRequests(event.target.value)}
          error={errorOf("requestsPerMinute")}
        />
        <TextField
          label="Settlements per day"
          hint="More are refused, and no money moves."
          inputMode="numeric"
          autoComplete="off"
          value={settlements}
          onChange={(event) => setSettlements(event.target.value)}
          error={errorOf("settlementsPerDay")}
        />
        {failure && !isNamed && (
          <Note tone="bad" live="assertive">
            {failure.message}
          </Note>
        )}
      </form>
    </Dialog>
  );
}

const isWithin = (text: string, max: number) => /^[1-9]\d{0,6}$/.test(text.trim()) && Number(text) <= max;
