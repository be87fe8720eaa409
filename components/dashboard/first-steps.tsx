import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { AgentMessage } from "@/components/agents/agent-message";
import { CreateSeller } from "@/components/agents/create-seller";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";

/** What a new owner wants to do first. */
export const GOALS = ["pay", "sell"] as const;
export type Goal = (typeof GOALS)[number];

export const goalHref = (goal: Goal) => `/dashboard?start=${goal}`;

/** Asks a new owner what they want to do first. */
export const FirstQuestion = () => (
  <Card title="What do you want to do first?" lift>
    <div className="grid gap-6 md:grid-cols-2 md:gap-8">
      <section aria-labelledby="first-pay" className="grid content-start justify-items-start gap-2.5">
        <h3 id="first-pay" className="text-control">
          An agent of mine shall pay
        </h3>
        <p className="text-control text-ink-2">
          You sign a budget. It cannot spend more, and you can stop it any time.
        </p>
        <ButtonLink href={goalHref("pay")}>Set up an agent</ButtonLink>
      </section>
      <section
        aria-labelledby="first-sell"
        className="grid content-start justify-items-start gap-2.5 max-md:border-t max-md:pt-6 md:border-l md:pl-8"
      >
        <h3 id="first-sell" className="text-control">
          I want to sell
        </h3>
        <p className="text-control text-ink-2">You share a link, or put a price on your API. No code needed.</p>
        <CreateSeller variant="secondary" />
      </section>
    </div>
  </Card>
);

export type FirstStepsProps = {
  baseUrl: string;
  hasMoney: boolean;
  hasAgent: boolean;
  hasMandate: boolean;
  /** True for an owner who could still choose to sell instead. */
  isNew: boolean;
};

/** Setup steps of an owner whose agent pays; completed ones are ticked from stored data. */
export function FirstSteps({ baseUrl, hasMoney, hasAgent, hasMandate, isNew }: FirstStepsProps) {
  return (
    <Card title="First steps" lift actions={isNew && <OtherGoal goal="sell">I want to sell</OtherGoal>}>
      <ol className="grid gap-6">
        <Step number={1} isDone={hasAgent} title="Give an agent this wallet">
          <p>Paste this to your agent. It registers by itself and asks you for a mandate, a budget that you sign.</p>
          <AgentMessage baseUrl={baseUrl} />
        </Step>
        <Step number={2} isDone={hasMandate} title="Open the link it gives you">
          <p>You see how much it may spend, where and until when. Lower any of it, then sign or reject.</p>
          <ButtonLink size="small" href="/dashboard/agents#link">
            I have a link
          </ButtonLink>
        </Step>
        <Step number={3} isDone={hasMoney} title="Add money">
          <p>Your agents pay from your spending wallet, within what you signed. You can withdraw it at any time.</p>
          <ButtonLink size="small" href="/dashboard/wallet">
            Open wallet
          </ButtonLink>
        </Step>
      </ol>
    </Card>
  );
}

export type SellerStepsProps = { hasAgent: boolean; hasLink: boolean; hasSold: boolean; isNew: boolean };

/** Setup steps of an owner who sells. */
export function SellerSteps({ hasAgent, hasLink, hasSold, isNew }: SellerStepsProps) {
  return (
    <Card title="Start selling" lift actions={isNew && <OtherGoal goal="pay">An agent of mine shall pay</OtherGoal>}>
      <ol className="grid gap-6">
        <Step number={1} isDone={hasAgent} title="Name your shop">
          <CreateSeller />
        </Step>
        <Step number={2} isDone={hasLink} title="Create a payment link">
          <p>A price and what is sold for it, or your API. People pay in a browser, agents by x402.</p>
          {hasAgent && (
            <ButtonLink size="small" href="/dashboard/links/new">
              Create a payment link
            </ButtonLink>
          )}
        </Step>
        <Step number={3} isDone={hasSold} title="Get your first payment">
          <p>Share the link. Each payment appears under Sales, with its receipt.</p>
          {hasLink && (
            <ButtonLink size="small" href="/dashboard/links">
              See your links
            </ButtonLink>
          )}
        </Step>
      </ol>
    </Card>
  );
}

const OtherGoal = ({ goal, children }: { goal: Goal; children: ReactNode }) => (
  <Link
    href={goalHref(goal)}
    scroll={false}
    className="inline-flex min-h-9 items-center text-small text-ink-2 underline underline-offset-4 hover:text-ink max-sm:min-h-11"
  >
    {children}
  </Link>
);

function Step({
  number,
  isDone,
  title,
  children,
}: {
  number: number;
  isDone: boolean;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden
        className={cx(
          "grid size-7 shrink-0 place-items-center rounded-full text-small font-medium num",
          isDone ? "bg-good-soft text-good" : "bg-sunk text-ink-2",
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <div className="grid min-w-0 flex-1 justify-items-start gap-2.5 text-control text-ink-2">
        <h3 className="text-control text-ink">
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </h3>
        {!isDone && children}
      </div>
    </li>
  );
}
