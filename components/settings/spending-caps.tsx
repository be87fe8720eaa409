"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { BudgetBar } from "@/components/ui/budget-bar";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { SelectField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { UsdcField } from "@/components/ui/usdc-field";
import { formatUsdc, parseUsdc, ZERO } from "@/lib/core/usdc";
import type { SpendingCapView } from "@/lib/mandates/caps/contract";
import type { NetworkName } from "@/lib/x402/networks";

export type SpendingCapsProps = {
  network: NetworkName;
  /** Null: all spending. */
  agentId: string | null;
  /** Null: there is no limit. */
  cap: SpendingCapView | null;
};

const WAITING = [0, 1, 3, 5, 10, 20];

/** What is used of a limit over all spending or on one agent, and the form that changes it. */
export function SpendingCaps({ network, agentId, cap }: SpendingCapsProps) {
  const bars = [
    { name: "In 24 hours", use: cap?.last24Hours ?? null },
    { name: "In 30 days", use: cap?.last30Days ?? null },
  ].flatMap(({ name, use }) => (use === null ? [] : [{ name, use }]));
  return (
    <div className="grid gap-4">
      {bars.map(({ name, use }) => (
        <section key={name} aria-label={name}>
          <p className="mb-1.5 text-small font-medium">{name}</p>
          <BudgetBar spent={use.usedAmount} pending={ZERO} limit={use.cap} verb="used" />
        </section>
      ))}
      <Disclosure summary={cap === null ? "Set a limit" : "Change the limit"}>
        <CapForm network={network} agentId={agentId} cap={cap} />
      </Disclosure>
    </div>
  );
}

const textOf = (use: SpendingCapView["last24Hours"]) => (use === null ? "" : formatUsdc(use.cap));

function CapForm({ network, agentId, cap }: SpendingCapsProps) {
  const router = useRouter();
  const { post, dialog } = useConfirmed();
  const [day, setDay] = useState(textOf(cap?.last24Hours ?? null));
  const [month, setMonth] = useState(textOf(cap?.last30Days ?? null));
  const [waitingMax, setWaitingMax] = useState(cap?.waitingMax ?? 0);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const faults = { day: faultIn(day), month: faultIn(month) };
  const [areFaultsShown, setFaultsShown] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setFaultsShown(true);
    if (faults.day !== undefined || faults.month !== undefined) return;
    setBusy(true);
    setProblem(undefined);
    const response = await post("/api/wallet/spending-caps", {
      network,
      agentId,
      maxAmountPer24Hours: capIn(day)?.toString() ?? null,
      maxAmountPer30Days: capIn(month)?.toString() ?? null,
      waitingMax,
    });
    setBusy(false);
    if (!response.ok) return setProblem(response.message);
    toast.success("Limit saved");
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate className="grid max-w-100 gap-4" aria-label="Limit">
      <UsdcField
        label="In 24 hours"
        value={day}
        placeholder="No limit"
        onText={setDay}
        error={areFaultsShown ? faults.day : undefined}
      />
      <UsdcField
        label="In 30 days"
        value={month}
        placeholder="No limit"
        onText={setMonth}
        error={areFaultsShown ? faults.month : undefined}
      />
      <SelectField
        label="What is above"
        value={String(waitingMax)}
        onChange={(event) => setWaitingMax(Number(event.target.value))}
        options={[...new Set([...WAITING, waitingMax])]
          .toSorted((a, b) => a - b)
          .map((count) => ({ value: String(count), label: waitingText(count) }))}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="The limit is unchanged">
          {problem}
        </Note>
      )}
      <div>
        <Button type="submit" busy={isBusy}>
          Save the limit
        </Button>
      </div>
      {dialog}
    </form>
  );
}

const waitingText = (count: number): string => {
  if (count === 0) return "Is refused";
  return `Waits for you, ${count} per agent`;
};

/** In atomic units; null for no limit, undefined if it is no amount. */
function capIn(text: string): bigint | null | undefined {
  const typed = text.trim();
  if (typed === "") return null;
  return /^0+(\.0*)?$/.test(typed) ? 0n : (parseUsdc(typed) ?? undefined);
}

const faultIn = (text: string): string | undefined =>
  capIn(text) === undefined ? "Enter an amount with at most six decimals, or nothing for no limit." : undefined;
