import { Check } from "lucide-react";
import { Steps } from "@/components/mandates/steps";
import { RequestCard } from "@/components/mandates/terms";
import { signLabel } from "@/components/mandates/vaults/words";
import { REVIEW_TITLE, type ShownMandate } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { WRAPPED } from "@/components/ui/wrapped";
import { agentId } from "@/lib/core/id-text";
import { formatUsdc, toUsdc, ZERO } from "@/lib/core/usdc";
import { Developers } from "./developers";
import { HowItWorks } from "./how";
import { Trust } from "./trust";

export type HomeProps = { baseUrl: string; isDevnet: boolean; now: Date };

/** The front page: what Tessera is, for whom, what it can cost, and the first steps. */
export const Home = ({ baseUrl, isDevnet, now }: HomeProps) => (
  <main
    id="main"
    tabIndex={-1}
    className="mx-auto grid w-full max-w-280 grid-cols-1 gap-14 px-5 pt-4 pb-16 sm:pt-8 lg:gap-20"
  >
    <Hero now={now} />
    {isDevnet && <TryIt />}
    <HowItWorks />
    <Trust />
    <Developers baseUrl={baseUrl} />
  </main>
);

const TryIt = () => (
  <Note tone="neutral" title="Try it here" className="[&_a]:underline [&_a]:underline-offset-4">
    This is a local devnet with test money. The commands below print a link to sign: open it and choose the test wallet,
    which lives in this browser. Where money is missing, buttons on that page and in{" "}
    <a href="/dashboard/wallet">your wallet</a> add test USDC.
  </Note>
);

const POINTS = [
  "You set the most you can lose, and sign it with your own wallet",
  "Your agent pays in USDC on Base, without asking again within those limits",
  "Pause or revoke at any time, and take back what is left",
] as const;

const Hero = ({ now }: { now: Date }) => (
  <div className="grid items-center gap-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] lg:gap-14">
    <div className="grid min-w-0 gap-6">
      <h1 className="max-w-[17ch] text-[clamp(2rem,7vw,2.75rem)] leading-[1.08] tracking-[-0.03em]">
        A wallet for your agents, with limits that you sign
      </h1>
      <p className="max-w-[52ch] text-[1.0625rem] leading-relaxed text-ink-2">
        An agent asks you for a budget: how much, until when, and whom it may pay. You read it, narrow it and sign it
        once. From then on it pays within those limits, and cannot widen them.
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
        <ButtonLink variant="primary" href="/dashboard">
          Open dashboard
        </ButtonLink>
        <ButtonLink href="/docs">Documentation</ButtonLink>
      </div>
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
        className="rounded-card border bg-paper p-4 shadow-lift sm:p-5"
      >
        <div aria-hidden inert className="grid gap-4">
          <Steps current={3} />
          <div>
            <p className="mb-1 text-small text-ink-2">{agentName} asks for a budget</p>
            <p className="text-title font-bold">{REVIEW_TITLE}</p>
          </div>
          <RequestCard mandate={mandate} isPlaceOpen />
          <Button variant="primary" wide className={WRAPPED}>
            {signLabel("vault_now", limitAmount, limitAmount)}
          </Button>
        </div>
      </div>
      <figcaption className="mt-2.5 text-center text-tiny text-ink-2">
        The page on which you sign, with an example
      </figcaption>
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
