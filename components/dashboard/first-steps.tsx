import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { CreateSeller } from "@/components/agents/create-seller";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";

export type FirstStepsProps = {
  baseUrl: string;
  hasMoney: boolean;
  hasAgent: boolean;
  hasMandate: boolean;
};

/** Setup steps of a new owner; completed ones are ticked from stored data. */
export function FirstSteps({ baseUrl, hasMoney, hasAgent, hasMandate }: FirstStepsProps) {
  const prompt = promptFor(baseUrl);
  return (
    <Card title="First steps" lift>
      <ol className="grid gap-6">
        <Step number={1} isDone={hasAgent} title="Give an agent this wallet">
          <p>Paste this to your agent. It registers by itself and asks you for a mandate, a budget that you sign.</p>
          <blockquote className="rounded-control bg-sunk px-3.5 py-3 text-small text-ink [overflow-wrap:anywhere]">
            {prompt}
          </blockquote>
          <Copy value={prompt} label="Copy for your agent" />
        </Step>
        <Step number={2} isDone={hasMandate} title="Open the link it gives you">
          <p>
            You see how much it may spend, where and until when. You can lower all of that, and then sign or reject.
          </p>
          <ButtonLink size="small" href="/dashboard/agents#link">
            I have a link
          </ButtonLink>
        </Step>
        <Step number={3} isDone={hasMoney} title="Put money into your spending wallet">
          <p>Your agents pay from it and only within what you signed. You can take all of it back at any time.</p>
          <ButtonLink size="small" href="/dashboard/wallet">
            Open wallet
          </ButtonLink>
        </Step>
      </ol>
      <section aria-labelledby="sell-first" className="mt-6 grid justify-items-start gap-2.5 border-t pt-5">
        <h3 id="sell-first" className="text-control text-ink">
          Or start by selling
        </h3>
        <p className="text-control text-ink-2">
          A seller takes payments at links that you share. You need no program and no mandate for it.
        </p>
        <CreateSeller baseUrl={baseUrl} hasAgent={hasAgent} />
      </section>
    </Card>
  );
}

export type SellerStepsProps = { hasAgent: boolean; hasLink: boolean; hasSold: boolean };

/** Setup steps for an owner who sells. */
export function SellerSteps({ hasAgent, hasLink, hasSold }: SellerStepsProps) {
  return (
    <Card title="Start selling">
      <ol className="grid gap-6">
        <Step number={1} isDone={hasAgent} title="Link the agent that sells">
          <p>It is paid at one of your addresses. You choose which one.</p>
          <ButtonLink size="small" href="/dashboard/agents#link">
            Link an agent
          </ButtonLink>
        </Step>
        <Step number={2} isDone={hasLink} title="Create a payment link">
          <p>A price and what is sold for it. People pay it in a browser, agents by x402.</p>
          <ButtonLink size="small" href="/dashboard/links/new">
            Create a payment link
          </ButtonLink>
        </Step>
        <Step number={3} isDone={hasSold} title="Get your first payment">
          <p>Share the link. Each payment appears under Payments, with its receipt.</p>
          <ButtonLink size="small" href="/dashboard/links">
            See your links
          </ButtonLink>
        </Step>
      </ol>
    </Card>
  );
}

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
      <div className="grid min-w-0 justify-items-start gap-2.5 text-control text-ink-2">
        <h3 className="text-control text-ink">
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </h3>
        {!isDone && children}
      </div>
    </li>
  );
}

const promptFor = (baseUrl: string) =>
  `Use the agent wallet at ${baseUrl}. Register with POST ${baseUrl}/register {"agent_name": …, "client_info": …} and keep the token. Then ask for a budget with POST ${baseUrl}/api/mandates/create-intent {"intent": {"naturalLanguage": …, "limitAmount": "5000000" for 5 USDC, "validForSeconds": 86400, "hostAllowlist": […]}} and show me the authorizationUrl from its answer.`;
