import { Check, Menu, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { Steps } from "@/components/mandates/steps";
import { RequestCard } from "@/components/mandates/terms";
import { signLabel } from "@/components/mandates/vaults/words";
import { REVIEW_TITLE, type ShownMandate } from "@/components/mandates/words";
import { DevnetChip } from "@/components/site/devnet-chip";
import { Button, buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { Wordmark } from "@/components/ui/wordmark";
import { agentId } from "@/lib/core/id-text";
import { formatUsdc, toUsdc, ZERO } from "@/lib/core/usdc";
import { Developers } from "./developers";

export type HomeProps = {
  baseUrl: string;
  isDevnet: boolean;
  now: Date;
  /** The lowest price of a firewall scan, as "0.50 USDC"; null when none is offered. */
  scanPrice: string | null;
};

/** The front page: what Tessera is, for whom, what it can cost, and the first steps. */
export const Home = ({ baseUrl, isDevnet, now, scanPrice }: HomeProps) => (
  <main
    id="main"
    tabIndex={-1}
    className="mx-auto grid w-full max-w-280 grid-cols-1 gap-14 px-5 pt-4 pb-16 sm:pt-8 lg:gap-20"
  >
    <Hero isDevnet={isDevnet} now={now} scanPrice={scanPrice} />
    <HowItWorks />
    <Trust />
    <Developers baseUrl={baseUrl} />
  </main>
);

const POINTS = [
  "You set the most you can lose, and sign it",
  "Your agent pays in USDC on Base within it",
  "Pause or revoke at any time, and take back the rest",
] as const;

const Hero = ({ isDevnet, now, scanPrice }: Pick<HomeProps, "isDevnet" | "now" | "scanPrice">) => (
  <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] lg:gap-14">
    <div className="grid min-w-0 gap-6 lg:pt-8">
      <h1 className="max-w-[17ch] text-[clamp(2rem,7vw,2.75rem)] leading-[1.08] tracking-[-0.03em]">
        A wallet for your agents, with limits that you sign
      </h1>
      <p className="max-w-[52ch] text-[1.0625rem] leading-relaxed text-ink-2">
        An agent asks you for a budget: how much, until when, and whom it may pay. You narrow it and sign once.
      </p>
      <ul className="grid gap-2.5 text-control">
        {POINTS.map((point) => (
          <li key={point} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-brand" />
            {point}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink variant="primary" href="/dashboard#sign-in">
          {isDevnet ? "Try it with test money" : "Get started"}
        </ButtonLink>
        <ButtonLink href="/docs">Documentation</ButtonLink>
      </div>
      <p className="text-small text-ink-2 [&_a]:underline [&_a]:underline-offset-4">
        {scanPrice === null
          ? "No fee on payments, and we pay the gas. "
          : `No fee on payments, and we pay the gas. A firewall scan over HTTP costs ${scanPrice}. `}
        <a href="/docs/costs">What it costs</a>
      </p>
    </div>
    <SigningPicture now={now} />
  </div>
);

/** A picture of the signing page, built from the page's own components with example data. Not interactive. */
function SigningPicture({ now }: { now: Date }) {
  const mandate = exampleMandate(now);
  const { agentName, limitAmount, maxAmountPerPayment, hostAllowlist } = mandate;
  const cap = maxAmountPerPayment === null ? "" : ` and ${usdcText(maxAmountPerPayment)} per payment`;
  return (
    <figure className="min-w-0">
      <div
        role="img"
        aria-label={`The page on which you sign: ${agentName} asks for at most ${usdcText(limitAmount)} in total${cap}, at ${hostAllowlist.join(" and ")}`}
        className="rounded-card border bg-paper p-4 shadow-lift"
      >
        {/* A picture, so smaller than the page itself. */}
        <div aria-hidden inert className="grid gap-4 [zoom:0.8]">
          <Steps current={3} />
          <div>
            <p className="mb-1 text-small text-ink-2">{agentName} asks for a budget</p>
            <p className="text-title font-bold">{REVIEW_TITLE}</p>
          </div>
          <RequestCard mandate={mandate} isPlaceOpen />
          <Button variant="primary" wide>
            {signLabel("vault_now", limitAmount, limitAmount)}
          </Button>
        </div>
      </div>
      <figcaption className="mt-2.5 text-center text-tiny text-ink-2">The signing page, with an example</figcaption>
    </figure>
  );
}

/** An example mandate, also used by dev/docs/signing-page.ts. */
export const EXAMPLE_AGENT = "Research agent";
export const EXAMPLE_INTENT = {
  naturalLanguage: "Buy weather and market data for the weekly report, about one request an hour",
  limitAmount: "10000000",
  maxAmountPerPayment: "500000",
  validForSeconds: 7 * 86_400,
  hostAllowlist: ["data.example.com", "weather.example.com"],
};

/** The example mandate as its owner sees it before signing. */
function exampleMandate(now: Date): ShownMandate {
  const limit = toUsdc(BigInt(EXAMPLE_INTENT.limitAmount));
  const nothing = formatUsdc(ZERO);
  return {
    mandateId: "mand_example",
    agentId: agentId.parse("5f0c7a52-3b1e-4c58-9a44-2f6d1e8b7c30"),
    agentName: EXAMPLE_AGENT,
    ownerAddress: null,
    walletAddress: null,
    mode: "wallet",
    vault: null,
    status: "pending_signature",
    isEnabled: true,
    requestedBy: "agent",
    naturalLanguage: EXAMPLE_INTENT.naturalLanguage,
    category: null,
    currency: "USDC",
    network: "base",
    limitAmount: limit,
    limitAmountFormatted: formatUsdc(limit),
    maxAmountPerPayment: toUsdc(BigInt(EXAMPLE_INTENT.maxAmountPerPayment)),
    maxAmountPerDay: null,
    maxAmountPerMonth: null,
    today: null,
    thisMonth: null,
    spentAmount: ZERO,
    spentAmountFormatted: nothing,
    pendingSpentAmount: ZERO,
    pendingSpentAmountFormatted: nothing,
    remainingAmount: limit,
    remainingAmountFormatted: formatUsdc(limit),
    validFrom: now,
    validUntil: new Date(now.getTime() + EXAMPLE_INTENT.validForSeconds * 1_000),
    hostAllowlist: EXAMPLE_INTENT.hostAllowlist,
    asked: null,
    confirmPayees: false,
    proposesConfirmation: true,
    mandateHash: null,
    replaces: null,
    replacedBy: null,
    signedAt: null,
    createdAt: now,
    updatedAt: now,
    detailsUrl: "",
    signUrl: "",
  };
}

const LINKS = [
  { href: "#how", label: "How it works" },
  { href: "#trust", label: "What you can lose" },
  { href: "#developers", label: "Developers" },
  { href: "/docs", label: "Docs" },
] as const;

/** The front page's top bar. public/home.js runs the theme buttons and closes the menu. */
export const HomeBar = ({ isDevnet }: { isDevnet: boolean }) => (
  <header className="mx-auto flex w-full max-w-280 flex-wrap items-center justify-between gap-x-3 px-5 py-4">
    <a href="/" aria-label="Tessera, home" className="flex min-h-11 items-center rounded-control no-underline">
      <Wordmark />
    </a>
    <nav aria-label="Site" className="flex items-center gap-1 max-md:hidden">
      {LINKS.map(({ href, label }) => (
        <a
          key={href}
          href={href}
          className="flex min-h-11 items-center rounded-control px-2.5 text-control text-ink-2 no-underline hover:text-ink"
        >
          {label}
        </a>
      ))}
    </nav>
    <div className="flex items-center gap-2">
      {isDevnet && <DevnetChip />}
      <a href="/dashboard" className={buttonClass({ size: "small" })}>
        Sign in
      </a>
      <ThemeButton className="inline-grid size-9 place-items-center max-md:hidden">
        <Sun aria-hidden className="dark:hidden" />
        <Moon aria-hidden className="hidden dark:block" />
      </ThemeButton>
      <details data-menu className="relative md:hidden">
        <summary
          aria-label="Menu"
          className="-mr-2 grid size-11 list-none place-items-center rounded-control text-ink-2 hover:bg-sunk hover:text-ink"
        >
          <Menu aria-hidden className="size-4.5" />
        </summary>
        <nav
          aria-label="Menu"
          className="absolute top-full right-0 z-30 mt-1 grid w-56 rounded-card border bg-card p-1.5 shadow-lift"
        >
          {LINKS.map(({ href, label }) => (
            <a key={href} href={href} className={MENU_ROW}>
              {label}
            </a>
          ))}
          <ThemeButton className={MENU_ROW}>Light or dark</ThemeButton>
        </nav>
      </details>
    </div>
  </header>
);

const MENU_ROW = "flex min-h-11 items-center px-3 text-left text-control text-ink no-underline hover:bg-sunk";

const ThemeButton = ({ className, children }: { className: string; children: ReactNode }) => (
  <button
    type="button"
    data-turns-theme
    aria-label="Switch between light and dark"
    title="Switch between light and dark"
    className={cx(
      "shrink-0 rounded-control text-ink-2 transition-colors hover:bg-sunk hover:text-ink [&_svg]:size-4.5",
      className,
    )}
  >
    {children}
  </button>
);

type Step = { title: string; text: ReactNode };
type Role = { who: string; steps: readonly Step[]; more: { href: string; label: string } };

const ROLES: readonly Role[] = [
  {
    who: "If the money is yours",
    steps: [
      {
        title: "Open your agent’s link",
        text: "Sign in and link the agent.",
      },
      {
        title: "Read, narrow, sign",
        text: "Lower the limit, name the hosts.",
      },
      {
        title: "Fund it, and stay in charge",
        text: "Pause, revoke or take the rest back.",
      },
    ],
    more: { href: "/docs/how-it-works", label: "How it works" },
  },
  {
    who: "If you sell to agents",
    steps: [
      {
        title: "Create a payment link",
        text: "People get a checkout, agents get HTTP 402.",
      },
      {
        title: "Get paid in USDC on Base",
        text: "At any address you name.",
      },
      {
        title: "Deliver on proof",
        text: "Each payment has a receipt.",
      },
    ],
    more: { href: "/docs/sell", label: "Receive payments" },
  },
  {
    who: "If you are building an agent",
    steps: [
      {
        title: "Register over HTTP",
        text: "It gets an id and a token.",
      },
      {
        title: "Request a mandate",
        text: "Show the owner the link to sign.",
      },
      {
        title: "Pay a seller that responds with 402",
        text: "Repeat the request with the signed proof.",
      },
    ],
    more: { href: "/docs/quickstart", label: "Quickstart" },
  },
];

const HowItWorks = () => (
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

/** The three places where an agent's money can be. Shortened from docs/trust.md; trust.test.ts compares the two. */
export const LOSSES = [
  {
    place: "Spending wallet",
    held: "An account for you. The service holds its key.",
    tricked: "what is left of its mandates, at their hosts, within the caps",
    stolen: "the whole balance of the wallet",
  },
  {
    place: "Vault",
    held: "A contract for each mandate. The limits are in its code.",
    tricked: "the same, within what the vault released",
    stolen: "the released, unspent part of each open budget",
  },
  {
    place: "Vault with the agent’s key",
    held: "Each payment also needs the agent’s own signature.",
    tricked: "the same, within what the vault released",
    stolen: "nothing, unless the agent’s key is stolen too",
  },
] as const;

/** What an owner can lose, and what the service does not promise. */
const Trust = () => (
  <section aria-labelledby="trust" className="grid min-w-0 gap-4 [&_a]:underline [&_a]:underline-offset-4">
    <div>
      <h2 id="trust" className="text-title">
        The most you can lose
      </h2>
      <p className="mt-1.5 measure text-control text-ink-2">You choose where each agent’s money is.</p>
    </div>
    <div className="grid gap-4 md:grid-cols-3">
      {LOSSES.map(({ place, held: custody, tricked, stolen }) => (
        <Card key={place} aria-label={place} className="flex flex-col gap-3.5">
          <div>
            <h3 className="text-body">{place}</h3>
            <p className="mt-0.5 text-small text-ink-2">{custody}</p>
          </div>
          <dl className="grid gap-3.5">
            <div>
              <dt className="text-tiny text-ink-2">If your agent is tricked</dt>
              <dd className="text-control">{tricked}</dd>
            </div>
            <div>
              <dt className="text-tiny text-ink-2">If this service is stolen</dt>
              <dd className="text-control font-medium">{stolen}</dd>
            </div>
          </dl>
        </Card>
      ))}
    </div>
    <Note tone="warn" title="Nobody has audited the contracts">
      Check them <a href="/docs/vault-or-wallet">line by line</a>.
    </Note>
    <Card>
      <h3 className="text-body">What it cannot promise</h3>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-control text-ink-2">
        <li>Keep in your spending wallet what your agents need, not your savings.</li>
        <li>An agent can spend its budget badly.</li>
        <li>A settled payment cannot be reversed.</li>
      </ul>
      <p className="mt-3 text-small">
        <a href="/docs/trust">Who can lose what</a>
      </p>
    </Card>
  </section>
);
