"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import type { PayeeEntryView } from "@/lib/payees/lists/contract";

type List = PayeeEntryView["list"];
type Change = { list: List; add?: string[]; remove?: string[]; isAllowListOn?: boolean };
/** Resolves to whether the lists were changed. */
type Send = (change: Change, done: string) => Promise<boolean>;

export type PayeeListsProps = { isAllowListOn: boolean; entries: readonly PayeeEntryView[] };

/** The owner's deny list and allow list, and the forms that change them. */
export function PayeeLists({ isAllowListOn, entries }: PayeeListsProps) {
  const router = useRouter();
  const { post, dialog } = useConfirmed();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const listed = (list: List) => entries.filter((entry) => entry.list === list).map(({ payee }) => payee);
  const allowed = listed("allow");

  async function send(change: Change, done: string): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    setProblem(undefined);
    const response = await post("/api/wallet/payee-lists", change);
    setBusy(false);
    if (!response.ok) setProblem(response.message);
    else {
      toast.success(done);
      router.refresh();
    }
    return response.ok;
  }

  return (
    <div className="grid gap-5">
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="The lists are unchanged">
          {problem}
        </Note>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <section aria-label="Never paid" className="grid gap-3">
          <div>
            <h3 className="text-control font-medium">Never paid</h3>
            <p className="text-small text-ink-2">
              Your agents pay none of these. What was signed before still settles.
            </p>
          </div>
          <Entries list="deny" payees={listed("deny")} empty="Nobody is on this list." isBusy={isBusy} send={send} />
          <AddForm list="deny" isBusy={isBusy} send={send} />
        </section>
        <section aria-label="Only these are paid" className="grid gap-3">
          <Switch
            label="Pay only whom I list"
            hint={isAllowListOn ? "Everything else is refused." : "Off: your agents pay all who are not denied."}
            checked={isAllowListOn}
            disabled={isBusy}
            onCheckedChange={(isOn) =>
              void send(
                { list: "allow", isAllowListOn: isOn },
                isOn ? "Only listed payees are paid" : "List turned off",
              )
            }
          />
          <Entries
            list="allow"
            payees={allowed}
            empty={isAllowListOn ? "The list is empty: your agents can pay nobody." : "Nobody is on this list."}
            isBusy={isBusy}
            send={send}
          />
          <AddForm list="allow" isBusy={isBusy} send={send} />
        </section>
      </div>
      {dialog}
    </div>
  );
}

type EntriesProps = { list: List; payees: readonly string[]; empty: string; isBusy: boolean; send: Send };

function Entries({ list, payees, empty, isBusy, send }: EntriesProps) {
  if (payees.length === 0) return <p className="text-small text-ink-2">{empty}</p>;
  return (
    <ul
      aria-label={list === "deny" ? "Denied payees" : "Allowed payees"}
      className="grid max-h-72 divide-y overflow-y-auto rounded-control border"
    >
      {payees.map((payee) => (
        <li key={payee} className="flex items-center justify-between gap-3 py-1.5 ps-3 pe-1.5">
          <bdi className="mono min-w-0 text-small [overflow-wrap:anywhere]">{payee}</bdi>
          <Button
            size="small"
            variant="quiet"
            disabled={isBusy}
            onClick={() => void send({ list, remove: [payee] }, "Removed from the list")}
          >
            Remove <span className="sr-only">{payee}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

const FAULT = "Enter a whole 0x address, or a host such as api.example.com.";

/** Null: no payee. Loaded when it is needed, because checksums take a hash function; the service reads the text again. */
const readPayee = (text: string): Promise<string | null> =>
  import("@/lib/payees/lists/rules").then(
    ({ payeeOf }) => payeeOf(text),
    () => text.trim(),
  );

function AddForm({ list, isBusy, send }: { list: List; isBusy: boolean; send: Send }) {
  const [text, setText] = useState("");
  const [hasFault, setFault] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const payee = await readPayee(text);
    setFault(payee === null);
    if (payee !== null && (await send({ list, add: [payee] }, "Added to the list"))) setText("");
  }

  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={list === "deny" ? "Deny a payee" : "Allow a payee"}
      className="grid gap-3"
    >
      <TextField
        label="Address or host"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setFault(false);
        }}
        placeholder="0x… or api.example.com"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        error={hasFault ? FAULT : undefined}
      />
      <div>
        <Button type="submit" disabled={isBusy}>
          {list === "deny" ? "Deny payee" : "Allow payee"}
        </Button>
      </div>
    </form>
  );
}
