"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Confirm } from "@/components/ui/confirm";
import { cx } from "@/components/ui/cx";
import { CheckboxField, TextField } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { NAMELESS, NameDialog, NameField } from "@/components/ui/name-dialog";
import { type Column, Table } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { AddressItem } from "@/lib/payouts/address-book/contract";
import { isAddressLong, readAddress } from "./draft";
import { Lookalike } from "./lookalike";
import { Payee } from "./payee";
import { refusalText } from "./split-editor";
import { useWeighed } from "./use-weighed";
import { sentenceFor } from "./words";

export function AddressTable({ entries }: { entries: readonly AddressItem[] }) {
  return <Table caption="Addresses, by name" columns={COLUMNS} rows={entries} rowKey={({ address }) => address} />;
}

const COLUMNS: readonly Column<AddressItem>[] = [
  {
    key: "who",
    header: "Address",
    cell: (entry) => (
      <Payee address={entry.address} name={entry.name}>
        <span className="mt-1 md:hidden">
          <EntryActions entry={entry} />
        </span>
      </Payee>
    ),
  },
  {
    key: "actions",
    header: <span className="sr-only">What you can do</span>,
    align: "end",
    from: "md",
    cell: (entry) => <EntryActions entry={entry} />,
  },
];

function EntryActions({ entry }: { entry: AddressItem }) {
  const [open, setOpen] = useState<"rename" | "remove">();
  const close = () => setOpen(undefined);
  return (
    <span className="inline-flex flex-wrap gap-2">
      <ButtonLink size="small" href={`/dashboard/payouts/new?to=${entry.address}`}>
        Pay <span className="sr-only">{entry.name}</span>
      </ButtonLink>
      <Button size="small" onClick={() => setOpen("rename")}>
        Rename <span className="sr-only">{entry.name}</span>
      </Button>
      <Button size="small" variant="quiet" onClick={() => setOpen("remove")}>
        Delete <span className="sr-only">{entry.name}</span>
      </Button>
      {open === "rename" && <Rename entry={entry} close={close} />}
      <RemoveConfirm entry={entry} open={open === "remove"} close={close} />
    </span>
  );
}

function Rename({ entry, close }: { entry: AddressItem; close: () => void }) {
  const { save, isBusy, problem } = useChange("Renamed", close);
  return (
    <NameDialog
      title="Rename an address"
      description={<span className="mono [overflow-wrap:anywhere]">{entry.address}</span>}
      name={entry.name}
      save={(name) => save("PATCH", `/api/wallet/addresses/${entry.address}`, { name })}
      isBusy={isBusy}
      failure={problem}
      close={close}
    />
  );
}

function RemoveConfirm({ entry, open, close }: { entry: AddressItem; open: boolean; close: () => void }) {
  const router = useRouter();

  async function remove(): Promise<string | undefined> {
    const response = await callApi("DELETE", `/api/wallet/addresses/${entry.address}`);
    if (!response.ok) return sentenceFor(response);
    toast.success("Address deleted");
    router.refresh();
    return undefined;
  }

  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title={
        <>
          Delete <bdi>{entry.name}</bdi>
        </>
      }
      verb="Delete address"
      onConfirm={remove}
    >
      Payouts to it stay as they are, and show the address without a name. Lookalikes of it are then reported only if
      you have paid it.
    </Confirm>
  );
}

/** A dialog that adds an address under a name. */
export function NewAddress() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden />
        Add an address
      </Button>
      {isOpen && <NewAddressDialog close={() => setOpen(false)} />}
    </>
  );
}

function NewAddressDialog({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [isAsked, setAsked] = useState(false);
  const [hasCompared, setCompared] = useState(false);
  const { save, isBusy, problem, dialog } = useChange("Address added", close);
  const reading = readAddress(text);
  const address = reading.type === "valid" ? reading.address : undefined;
  const weighed = useWeighed(address === undefined ? [] : [address]).get(address ?? "");
  const isWhole = isAddressLong(text);
  const refusal = weighed?.refusal == null ? undefined : refusalText(weighed.refusal);
  const fault = reading.type === "invalid" && (isAsked || isWhole) ? reading.fault : refusal;
  const isAlike = weighed?.looksLike != null;

  function submit() {
    setAsked(true);
    if (address === undefined || refusal !== undefined || (isAlike && !hasCompared)) return;
    void save("POST", "/api/wallet/addresses", { address, name: name.trim() });
  }

  return (
    <FormDialog
      title="Add an address"
      description="Check it with its owner, over a channel you trust. Your wallet signs it: payouts to it then need no signature up to your approval limit."
      verb="Add address"
      isBusy={isBusy}
      isReady={!isAlike || hasCompared}
      submit={submit}
      close={close}
      nested={dialog}
    >
      <TextField
        label="Address"
        className="[&_input]:font-mono"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCompared(false);
        }}
        placeholder="0x…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        error={fault}
        hint={
          // On phones the field shows only half of the address.
          weighed && (
            <span className={cx("mono [overflow-wrap:anywhere]", address === text.trim() && "sm:hidden")}>
              {address}
            </span>
          )
        }
      />
      {weighed?.looksLike && (
        <>
          <Lookalike address={weighed.address} known={weighed.looksLike} live="polite" />
          <CheckboxField
            label="I have compared both letter by letter, and this is the right one"
            checked={hasCompared}
            onChange={(event) => setCompared(event.target.checked)}
          />
        </>
      )}
      <NameField value={name} set={setName} error={problem} />
    </FormDialog>
  );
}

/** Changes the address book, shows `done` as a toast and closes the dialog. `problem` is the reason when nothing was changed. */
function useChange(done: string, close: () => void) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { post, dialog } = useConfirmed();

  async function save(method: "POST" | "PATCH", path: `/${string}`, body: { name: string; address?: string }) {
    if (isBusy) return;
    if (body.name === "") return setProblem(NAMELESS);
    setBusy(true);
    const response = await (method === "POST" ? post(path, body) : callApi(method, path, body));
    setBusy(false);
    if (!response.ok) return setProblem(sentenceFor(response));
    toast.success(done);
    router.refresh();
    close();
  }

  return { save, isBusy, problem, dialog };
}
