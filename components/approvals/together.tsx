"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { TooLittle } from "@/components/authorize/too-little";
import { usePost } from "@/components/authorize/use-post";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { Section, type SectionProps } from "@/components/dashboard/section";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { CheckboxField } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { add, type Usdc, ZERO } from "@/lib/core/usdc";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { type ExceededTogether, exceededTogether } from "./exceeded";
import { PERIODS } from "./exceeded-note";
import type { Balances, Left, TogetherItem, TogetherKind } from "./together-types";

type Result = { item: TogetherItem; problem: string | null };
type Refusal = { code: string; message: string } | null;
type Sent = { results: readonly Record<string, unknown>[] };

export type TogetherProps = Left & {
  kind: TogetherKind;
  items: readonly TogetherItem[];
  /** The section around the list; rendered only while there is something to show. */
  section?: Omit<SectionProps, "children">;
};

/** Approves several requests of one kind with one confirmation. Each has its own result, which stays visible after the list is empty. */
export function Together({ kind, items, balances, caps, section }: TogetherProps) {
  const router = useRouter();
  const { post, dialog } = useConfirmed();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [results, setResults] = useState<readonly Result[]>([]);
  const [problem, setProblem] = useState<string>();
  const chosen = items.filter(({ id, alone }) => alone === null && picked.includes(id));
  const choosable = items.filter(({ alone, isRepeat }) => alone === null && !isRepeat);
  const count = countText(kind, chosen);
  const sum = sumText(chosen);

  async function send() {
    setBusy(true);
    setProblem(undefined);
    const response = await post<Sent>(kind.path, { [kind.ids]: chosen.map(({ id }) => id) });
    setBusy(false);
    if (response.ok) {
      // The API contract guarantees each result an id and a nullable error.
      const errors = new Map(response.data.results.map((result) => [String(result[kind.id]), result.error as Refusal]));
      setResults(chosen.map((item) => ({ item, problem: problemOf(kind, errors.get(item.id)) })));
    } else if (response.status === 0) setProblem("We could not be reached. Reload the page to see what was approved.");
    else setProblem(response.code === NOT_SIGNED ? response.message : kind.sentenceFor(response));
    router.refresh();
  }

  const isEmpty = items.length + results.length === 0 && problem === undefined;
  const content = (
    <>
      {results.length > 0 && <Results kind={kind} results={results} balances={balances} />}
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="Not approved">
          {problem}
        </Note>
      )}
      {items.length > 0 && (
        <Card lift aria-label={`${capital(kind.many)} to approve`} className="grid gap-4">
          <div className="sticky top-0 z-10 bg-card py-1 max-md:top-14">
            <div className="flex items-start justify-between gap-4">
              <div>
                <p className="text-small text-ink-2">
                  {chosen.length === 0 ? `Waiting for you: ${countText(kind, items)}` : `Chosen: ${count}`}
                </p>
                <p className="text-[1.5625rem] leading-tight font-bold num">
                  {chosen.length === 0 ? sumText(items) : sum}
                </p>
                <p className="text-small text-ink-2">{balanceText(items, balances)}</p>
              </div>
              {choosable.length > 1 && chosen.length === 0 && (
                <Button size="small" onClick={() => setPicked(choosable.map(({ id }) => id))}>
                  Choose all
                </Button>
              )}
            </div>
          </div>
          <Shortfalls kind={kind} items={chosen} balances={balances} />
          <Exceeded items={chosen} caps={caps} />
          <ul aria-label={`${capital(kind.many)} waiting for your approval`} className="grid divide-y">
            {items.map((item) => (
              <li key={item.id} data-row={item.id} className="py-2.5">
                <Choice
                  item={item}
                  rejectPath={kind.rejectPath(item.id)}
                  isChosen={chosen.includes(item)}
                  isKnown={kind.one !== "refund" && !item.isFirst}
                  choose={(isChosen) =>
                    setPicked(isChosen ? [...picked, item.id] : picked.filter((id) => id !== item.id))
                  }
                />
              </li>
            ))}
          </ul>
          <Button variant="primary" wide busy={isBusy} disabled={chosen.length === 0} onClick={() => setAsking(true)}>
            {chosen.length === 0 ? `Choose what to approve` : `Approve ${count}: ${sum}`}
          </Button>
          <p className="text-small text-ink-2">{kind.note}</p>
        </Card>
      )}
    </>
  );

  return (
    <>
      {section && !isEmpty ? <Section {...section}>{content}</Section> : content}
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
          {chosen.map(({ id, amount, toInFull, purpose }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              {usdcText(amount)} to {toInFull}
              {purpose !== null && (
                <span className="line-clamp-2 block text-ink-2">
                  “<bdi>{purpose}</bdi>”
                </span>
              )}
            </li>
          ))}
        </ul>
        <Shortfalls kind={kind} items={chosen} balances={balances} />
        <Exceeded items={chosen} caps={caps} />
      </Confirm>
      {dialog}
    </>
  );
}

type ShortfallsProps = {
  kind: TogetherKind;
  items: readonly TogetherItem[];
  balances: Balances;
  /** True if the balances leave room for them already. */
  arePromised?: boolean;
};

/** The amount that each network's spending wallet lacks to pay all `items`. */
const Shortfalls = ({ kind, items, balances, arePromised = false }: ShortfallsProps) =>
  NETWORK_NAMES.map((network) => (
    <TooLittle
      key={network}
      thing={kind.one}
      count={items.length}
      network={network}
      missing={missingFor(totalOn(network, items), balances[network], arePromised)}
    >
      Those that it cannot cover fail.
    </TooLittle>
  ));

const OUTCOMES = {
  paid: "If you approve, it is paid all the same.",
  refused: "What is above is refused, also if you approve.",
  other_refuses: "What is above another limit is refused, also if you approve.",
} as const satisfies Record<ExceededTogether["outcome"], string>;

/** The owner's limits that the chosen `items` exceed together. */
const Exceeded = ({ items, caps }: Pick<TogetherProps, "items" | "caps">) =>
  exceededTogether(items, caps).map(({ network, agent, window, amount, remainingAmount, outcome }) => (
    <Note
      key={`${network} ${agent?.id} ${window}`}
      tone="warn"
      title={
        <>
          Above your limit
          {agent && (
            <>
              {" "}
              for <bdi>{agent.name}</bdi>
            </>
          )}
          {NETWORKS[network].isTestnet && ` on ${NETWORKS[network].label}`}
        </>
      }
    >
      <Amount atomic={amount} wraps /> is chosen, and <Amount atomic={remainingAmount} wraps /> is left in{" "}
      {PERIODS[window]}. {OUTCOMES[outcome]}
    </Note>
  ));

/** `left` is below zero by what the wallet lacks for all that is promised. */
function missingFor(total: bigint, left: bigint | null, isPromised: boolean): bigint {
  if (left === null) return 0n;
  const missing = isPromised ? -left : total - (left > 0n ? left : 0n);
  return missing < total ? missing : total;
}

type ResultsProps = { kind: TogetherKind; results: readonly Result[]; balances: Balances };

function Results({ kind, results, balances }: ResultsProps) {
  const failed = results.filter(({ problem }) => problem !== null).length;
  const summary = failed === 0 ? "All were approved." : `${results.length - failed} approved, ${failed} not.`;
  return (
    <Card title="Outcome" className="grid gap-3 [&>header]:mb-0">
      <p role="status" className="text-control">
        {summary} {kind.afterwards}
      </p>
      {kind.one === "payment" && (
        <Shortfalls
          kind={kind}
          items={results.flatMap(({ item, problem }) => (problem === null ? item : []))}
          balances={balances}
          arePromised
        />
      )}
      <ul aria-label={`Outcome of each ${kind.one}`} className="grid divide-y text-control">
        {results.map(({ item, problem }) => (
          <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <Amount atomic={item.amount} /> to {item.to}
              {problem !== null && <span className="block text-small text-ink-2">{problem}</span>}
            </span>
            <Badge tone={problem === null ? "good" : "bad"}>{problem === null ? "Approved" : "Not approved"}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const countText = (kind: TogetherKind, items: readonly TogetherItem[]): string =>
  items.length === 1 ? `1 ${kind.one}` : `${items.length} ${kind.many}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function problemOf(kind: TogetherKind, error: Refusal | undefined): string | null {
  if (error === null) return null;
  if (error === undefined) return "We do not know whether it was approved. Reload the page to see.";
  return kind.sentenceFor({ ok: false, status: 409, ...error });
}

/** Sums per network: test money is never added to real money. */
function sumText(items: readonly TogetherItem[]): string {
  const totals = NETWORK_NAMES.map((network) => ({ network, total: totalOn(network, items) }));
  const texts = totals
    .filter(({ total }) => total !== ZERO)
    .map(
      ({ network, total }) => usdcText(total) + (NETWORKS[network].isTestnet ? ` on ${NETWORKS[network].label}` : ""),
    );
  return texts.join(" and ") || usdcText(ZERO);
}

const totalOn = (targetNetwork: NetworkName, items: readonly TogetherItem[]): Usdc =>
  items.reduce<Usdc>((total, { network, amount }) => (network === targetNetwork ? add(total, amount) : total), ZERO);

/** What the spending wallets can still pay on the networks of `items`. */
function balanceText(items: readonly TogetherItem[], balances: Balances): string {
  const texts = NETWORK_NAMES.filter((network) => items.some((item) => item.network === network)).map((network) => {
    const left = balances[network];
    const where = NETWORKS[network].isTestnet ? ` on ${NETWORKS[network].label}` : "";
    return (left === null ? "not known" : usdcText(left > 0n ? left : 0n)) + where;
  });
  return `Available: ${texts.join(" and ")}`;
}

type ChoiceProps = {
  item: TogetherItem;
  rejectPath: `/${string}`;
  isChosen: boolean;
  /** True if everyone whom the item pays was paid before. */
  isKnown: boolean;
  choose: (isChosen: boolean) => void;
};

/** One row of the list. */
function Choice({ item, rejectPath, isChosen, isKnown, choose }: ChoiceProps) {
  const { amount, network, to, hint, purpose, href, linkLabel, alone, opensBeside, isFirst, isRepeat } = item;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
      <CheckboxField
        label={
          <span className="[overflow-wrap:anywhere]">
            <Amount atomic={amount} /> to {to}
          </span>
        }
        hint={
          <span className="[overflow-wrap:anywhere]">
            {hint}
            {NETWORKS[network].isTestnet && `, ${NETWORKS[network].label}`}
            {purpose !== null && (
              <span className="mt-0.5 line-clamp-2 block text-ink">
                “<bdi>{purpose}</bdi>”
              </span>
            )}
          </span>
        }
        checked={isChosen}
        disabled={alone !== null}
        onChange={(event) => choose(event.target.checked)}
      />
      <span className="flex flex-wrap items-center gap-2">
        {isRepeat && <Badge tone="warn">Looks like the request above</Badge>}
        {alone !== null ? (
          <Badge tone="bad">{alone}</Badge>
        ) : (
          isFirst && <Badge tone="warn">First payment to this address</Badge>
        )}
        {alone === null && isKnown && <Badge tone="good">Paid before</Badge>}
        <Link
          href={href}
          {...(opensBeside && { "data-opens": "" })}
          aria-label={linkLabel}
          className="inline-flex min-h-9 items-center text-small underline underline-offset-4 max-md:min-h-11"
        >
          {alone !== null ? "Compare it" : "See it"}
        </Link>
        <RejectItem path={rejectPath} label={`Reject: ${linkLabel}`} />
      </span>
    </div>
  );
}

/** `label`: an accessible name that identifies the request. */
function RejectItem({ path, label }: { path: `/${string}`; label: string }) {
  const { post, isBusy, problem } = usePost(path, undefined);
  return (
    <>
      <Button size="small" busy={isBusy} aria-label={label} onClick={() => void post()}>
        Reject
      </Button>
      {problem !== undefined && (
        <span role="alert" className="w-full text-small text-bad">
          {problem}
        </span>
      )}
    </>
  );
}
