import Link from "next/link";
import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Developers } from "./developers";
import { firstPayment } from "./first-payment";

export type HomeProps = { baseUrl: string; isDevnet: boolean };

/** The home page: what Tessera is, for whom, and the first steps. */
export function Home({ baseUrl, isDevnet }: HomeProps) {
  return (
    <>
      <PageHeader
        title="A wallet for your agents, with limits that you sign"
        description={
          <>
            An agent asks you for a budget: how much, until when, and whom it may pay. You read it, narrow it and sign
            it once. From then on it pays in USDC within those limits without further approval, and you can stop it at
            any time.
          </>
        }
        actions={
          <>
            <ButtonLink href="/docs">Documentation</ButtonLink>
            <ButtonLink variant="primary" href="/dashboard">
              Open dashboard
            </ButtonLink>
          </>
        }
      />
      {isDevnet && <TryIt />}
      <div className="grid gap-5 md:grid-cols-3">
        <For who="If the money is yours">
          <li>Your agent shows you a link. Open it, sign in with your wallet, and link the agent.</li>
          <li>Read the most you can lose. Lower it, shorten it, name the hosts. Then sign, or reject.</li>
          <li>
            Put money into <Link href="/dashboard/wallet">your spending wallet</Link>. Agents reach nothing else, and
            you can take all of it back.
          </li>
        </For>
        <For who="If you sell to agents">
          <li>
            Your own agent has a permanent address to be paid at. It requests payment with HTTP 402, as x402 specifies.
          </li>
          <li>
            You are paid in USDC on Base, into your spending wallet or any address you name. The payer needs no gas.
          </li>
          <li>A payment counts once the chain shows the transfer, and every one has a receipt.</li>
        </For>
        <For who="If you are building an agent">
          <li>Register over HTTP. No key of yours and no wallet software is needed.</li>
          <li>Request a mandate, and show your person the link.</li>
          <li>Meet a 402, have the payment signed within the mandate, and repeat the request with the proof.</li>
          <li>
            Have it show other services who it is, with <Link href="/identity">a credential</Link> that they verify
            themselves.
          </li>
          <li>
            Have what it is about to sign, pay or read scanned by <Link href="/firewall">the firewall</Link>, which you
            can try in your browser.
          </li>
        </For>
      </div>
      <section aria-labelledby="code" className="grid min-w-0 gap-3">
        <h2 id="code" className="text-body">
          A first payment, from a shell
        </h2>
        <p className="measure text-control text-ink-2">Needs bash, curl and jq. It waits once, for a person to sign.</p>
        <JsonView
          value={firstPayment(baseUrl)}
          label="the commands"
          className="[&_section]:max-h-none [&_pre]:whitespace-pre [&_pre]:[overflow-wrap:normal]"
        />
      </section>
      <Developers baseUrl={baseUrl} />
      <Card title="What it cannot promise">
        <ul className="grid list-disc gap-1.5 pl-5 text-control text-ink-2">
          <li>
            The service holds the key of your spending wallet, encrypted. Keep there what your agents need, not your
            savings.
          </li>
          <li>An agent can spend its budget badly. A mandate bounds the loss; it does not judge what was bought.</li>
          <li>A payment that has settled cannot be called back.</li>
        </ul>
      </Card>
    </>
  );
}

function For({ who, children }: { who: string; children: ReactNode }) {
  return (
    <Card title={who}>
      <ol className="grid list-decimal gap-2 pl-5 text-control text-ink-2 marker:text-ink-3 [&_a]:underline [&_a]:underline-offset-4">
        {children}
      </ol>
    </Card>
  );
}

function TryIt() {
  return (
    <Note tone="neutral" title="Try it here">
      This is a local devnet with test money. The commands below print a link to sign: open it and choose the test
      wallet, which lives in this browser. Where money is missing, buttons on that page and in{" "}
      <Link href="/dashboard/wallet">your wallet</Link> add test USDC.
    </Note>
  );
}
