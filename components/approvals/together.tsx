"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/mandates/words";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { CheckboxField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { Time } from "@/components/ui/time";
import { add, type Usdc, ZERO } from "@/lib/core/usdc";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

/** A payment that waits. `isLookalike`: its address looks like a known one, so it is compared on its own page. */
export type WaitingPayment = {
  approvalId: string;
  amount: Usdc;
  network: NetworkName;
  host: string;
  payTo: string;
  agentName: string;
  expiresAt: Date;
  isFirst: boolean;
  isLookalike: boolean;
};

type Result = { payment: WaitingPayment; problem: string | null };
type Sent = { results: { approvalId: string; error: { code: string; message: string } | null }[] };

/** Approves several payments with one confirmation; each has its own outcome. */
export function Together({ payments }: { payments: readonly WaitingPayment[] }) {
  const router = useRouter();
  const { post, dialog } = useConfirmed();
  const [left, setLeft] = useState<readonly string[]>([]);
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [problem, setProblem] = useState<string>();
  const chosen = payments.filter(({ approvalId, isLookalike }) => !isLookalike && !left.includes(approvalId));
  const count = chosen.length === 1 ? "1 payment" : `${chosen.length} payments`;
  const sum = sumText(chosen);

  async function send() {
    setBusy(true);
    setProblem(undefined);
    const approvalIds = chosen.map(({ approvalId }) => approvalId);
    const answer = await post<Sent>("/api/approvals/approve", { approvalIds });
    setBusy(false);
    if (answer.ok) {
      const errors = new Map(answer.data.results.map(({ approvalId, error }) => [approvalId, error]));
      setResults(chosen.map((payment) => ({ payment, problem: problemOf(errors.get(payment.approvalId)) })));
    } else if (answer.status === 0) setProblem("We could not be reached. Reload the page to see what was approved.");
    else setProblem(answer.code === NOT_SIGNED ? answer.message : sentenceFor(answer));
    router.refresh();
  }

  return (
    <>
      {results.length > 0 && <Results results={results} />}
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="Not approved">
          {problem}
        </Note>
      )}
      {payments.length > 0 && (
        <Card lift aria-label="Payments to approve" className="grid gap-4">
          <div className="sticky top-0 z-10 bg-card py-1 max-md:top-14">
            <p className="text-small text-ink-2">Chosen: {count}</p>
            <p className="text-[1.5625rem] leading-tight font-bold num">{sum}</p>
          </div>
          <ul aria-label="Payments that wait for your approval" className="grid divide-y">
            {payments.map((payment) => (
              <li key={payment.approvalId} data-row={payment.approvalId} className="py-2.5">
                <Choice
                  payment={payment}
                  isChosen={chosen.includes(payment)}
                  choose={(isChosen) =>
                    setLeft(isChosen ? left.filter((id) => id !== payment.approvalId) : [...left, payment.approvalId])
                  }
                />
              </li>
            ))}
          </ul>
          <Button variant="primary" wide busy={isBusy} disabled={chosen.length === 0} onClick={() => setAsking(true)}>
            Approve {count}: {sum}
          </Button>
          <p className="text-small text-ink-2">
            Each payment can go to its address only, once, within its time. If one cannot be approved, the others are
            not affected. A payment cannot be reversed.
          </p>
        </Card>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={`Approve ${count} of ${sum}?`}
        verb={`Approve ${count}`}
        tone="primary"
        onConfirm={async () => {
          // Not awaited: the wallet may open after this dialog has closed.
          void send();
          return undefined;
        }}
      >
        <ul className="grid gap-1.5 text-small">
          {chosen.map(({ approvalId, amount, host, payTo }) => (
            <li key={approvalId} className="[overflow-wrap:anywhere]">
              {usdcText(amount)} to <bdi className="font-medium text-ink">{host}</bdi>, at{" "}
              <span className="mono">{shorten(payTo)}</span>
            </li>
          ))}
        </ul>
      </Confirm>
      {dialog}
    </>
  );
}

type ChoiceProps = { payment: WaitingPayment; isChosen: boolean; choose: (isChosen: boolean) => void };

function Choice({ payment, isChosen, choose }: ChoiceProps) {
  const { approvalId, amount, network, host, payTo, agentName, expiresAt, isFirst, isLookalike } = payment;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <CheckboxField
        label={
          <span className="[overflow-wrap:anywhere]">
            <Amount atomic={amount} /> to <bdi>{host}</bdi>
          </span>
        }
        hint={
          <span className="[overflow-wrap:anywhere]">
            <bdi>{agentName}</bdi>, to <span className="mono">{shorten(payTo)}</span>, until{" "}
            <Time at={expiresAt} form="short" />
            {network !== "base" && `, ${NETWORKS[network].label}`}
          </span>
        }
        checked={isChosen}
        disabled={isLookalike}
        onChange={(event) => choose(event.target.checked)}
      />
      <span className="flex flex-wrap items-center gap-2">
        {isLookalike ? (
          <Badge tone="bad">Looks like another address</Badge>
        ) : (
          isFirst && <Badge tone="warn">First payment to this address</Badge>
        )}
        <Link
          href={`/authorize/payment/${approvalId}`}
          aria-label={`See the payment of ${usdcText(amount)} to ${host}`}
          className="inline-flex min-h-9 items-center text-small underline underline-offset-4 max-md:min-h-11"
        >
          {isLookalike ? "Compare it" : "See it"}
        </Link>
      </span>
    </div>
  );
}

function Results({ results }: { results: readonly Result[] }) {
  const failed = results.filter(({ problem }) => problem !== null).length;
  const said = failed === 0 ? "All were approved." : `${results.length - failed} approved, ${failed} not.`;
  return (
    <Card title="Outcome" className="grid gap-3 [&>header]:mb-0">
      <p role="status" className="text-control">
        {said} Your agents can pay what was approved now.
      </p>
      <ul aria-label="Outcome of each payment" className="grid divide-y text-control">
        {results.map(({ payment, problem }) => (
          <li key={payment.approvalId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <Amount atomic={payment.amount} /> to <bdi>{payment.host}</bdi>
              {problem !== null && <span className="block text-small text-ink-2">{problem}</span>}
            </span>
            <Badge tone={problem === null ? "good" : "bad"}>{problem === null ? "Approved" : "Not approved"}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function problemOf(error: { code: string; message: string } | null | undefined): string | null {
  if (error === null) return null;
  if (error === undefined) return "It is not known whether it was approved. Reload the page to see.";
  return sentenceFor({ ok: false, status: 409, ...error });
}

/** Test money is never added to money. */
function sumText(payments: readonly WaitingPayment[]): string {
  const on = (wanted: NetworkName) =>
    payments.reduce<Usdc>((total, { network, amount }) => (network === wanted ? add(total, amount) : total), ZERO);
  const [real, test] = [on("base"), on("base-sepolia")];
  if (test === ZERO) return usdcText(real);
  const ofTest = `${usdcText(test)} on Base Sepolia`;
  return real === ZERO ? ofTest : `${usdcText(real)} and ${ofTest}`;
}
