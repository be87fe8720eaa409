import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";

type Step = { title: string; text: ReactNode };
type Role = { who: string; steps: readonly Step[]; more: { href: string; label: string } };

const ROLES: readonly Role[] = [
  {
    who: "If the money is yours",
    steps: [
      {
        title: "Open the link that your agent shows",
        text: "Sign in with your wallet and link the agent. That allows nothing yet.",
      },
      {
        title: "Read, narrow, sign",
        text: "The most you can lose comes first. Lower it, shorten it, name the hosts. Then sign, or reject.",
      },
      {
        title: "Give it money, and stay in charge",
        text: "Fund a vault for this mandate or your spending wallet. Each payment is listed. Pause, revoke or take the rest back.",
      },
    ],
    more: { href: "/docs/how-it-works", label: "How it works" },
  },
  {
    who: "If you sell to agents",
    steps: [
      {
        title: "Create a payment link",
        text: "Or use your agent’s permanent address. People get a checkout, agents get HTTP 402, as x402 specifies.",
      },
      {
        title: "Be paid in USDC on Base",
        text: "Into your spending wallet or any address you name. The payer signs and needs no gas.",
      },
      {
        title: "Deliver on proof",
        text: "A payment counts once the chain shows the transfer. Each has a receipt, and you can refund it.",
      },
    ],
    more: { href: "/docs/sell", label: "Receive payments" },
  },
  {
    who: "If you are building an agent",
    steps: [
      {
        title: "Register over HTTP",
        text: "Your agent gets an id and a token. No key of its own and no wallet software is needed.",
      },
      {
        title: "Request a mandate",
        text: "Show your person the link that the response contains, and wait for the signature.",
      },
      {
        title: "Meet a 402, and pay it",
        text: "Have the payment signed within the mandate, and repeat the request with the proof.",
      },
    ],
    more: { href: "/docs/quickstart", label: "Quickstart" },
  },
];

export const HowItWorks = () => (
  <section aria-labelledby="how" className="grid min-w-0 gap-4">
    <h2 id="how" className="text-title">
      How it works
    </h2>
    <div className="grid gap-4 md:grid-cols-3">
      {ROLES.map(({ who: audience, steps, more: docsLink }) => (
        <Card key={audience} aria-label={audience} className="flex flex-col gap-4">
          <h3 className="text-body">{audience}</h3>
          <ol className="grid gap-4">
            {steps.map(({ title, text }, index) => (
              <li key={title} className="flex gap-3">
                <span
                  aria-hidden
                  className="num grid size-6 shrink-0 place-items-center rounded-tile bg-brand-soft text-tiny font-bold text-brand"
                >
                  {index + 1}
                </span>
                <div className="min-w-0">
                  <p className="text-control font-medium">{title}</p>
                  <p className="mt-0.5 text-small text-ink-2">{text}</p>
                </div>
              </li>
            ))}
          </ol>
          <p className="mt-auto">
            <a
              href={docsLink.href}
              className="inline-flex min-h-8 items-center text-small underline underline-offset-4 max-sm:min-h-11"
            >
              {docsLink.label}
            </a>
          </p>
        </Card>
      ))}
    </div>
  </section>
);
