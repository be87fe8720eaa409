import type { Metadata } from "next";
import { operatorName, ReachOperator } from "@/components/about/operator";
import { Part, TextPage } from "@/components/about/text-page";
import { Link } from "@/components/ui/link";
import { system } from "@/lib/wiring";
import { operator } from "../operator";

export const metadata: Metadata = { title: "Terms" };

export default function TermsPage() {
  const serviceOperator = operator();
  const isDevnet = system().config.mode === "devnet";
  return (
    <TextPage
      title="Terms"
      description={`What you can expect of this service, and what you cannot. It is run by ${operatorName(serviceOperator)}.`}
    >
      {isDevnet && (
        <Part title="This is a test installation">
          <p>It runs on local chains with test money that has no value, and its data can be deleted at any time.</p>
        </Part>
      )}
      <Part title="What it does">
        <p>
          You sign mandates with your own wallet: how much an agent may spend, until when and at which hosts. The
          service signs your agents’ payments within them, submits the transfers to the chain, and shows what the chain
          shows. Sellers are paid to the address that they name. The transfers are in USDC, a token that Circle issues;
          Circle can pause it or block an address.
        </p>
      </Part>
      <Part title="What you are responsible for">
        <ul>
          <li>The mandates that you sign, the payments and payouts that you approve, and the agents that you link.</li>
          <li>The keys of your own wallet and the tokens of your agents. Anybody who has them can act as you.</li>
          <li>What you sell and deliver, and whether you may buy and sell it where you are.</li>
        </ul>
      </Part>
      <Part title="What can be lost">
        <ul>
          <li>
            The service holds the key of your spending wallet. If the service is broken into, or run dishonestly, its
            whole balance can be lost. Keep there what your agents need for some days. In a{" "}
            <Link href="/docs/vault-or-wallet">vault</Link>, a contract keeps the limit instead.
          </li>
          <li>Nobody has audited the contracts. Their tests and the review are by their authors.</li>
          <li>An agent can spend its budget badly. A mandate bounds the loss; it does not judge what was bought.</li>
          <li>A settled payment cannot be reversed. Only the seller can refund it.</li>
        </ul>
        <p>
          The most that each party can lose is listed in <Link href="/docs/trust">Who can lose what</Link>.
        </p>
      </Part>
      <Part title="What is not promised">
        <p>
          The service is provided as it is. It can stop, be slow or contain faults;{" "}
          <Link href="/status">its status</Link> shows its current state. It gives no advice on money, and there is no
          chargeback. Rights that the law of your country gives you and that cannot be waived stay yours.
        </p>
      </Part>
      <Part title="Leaving">
        <p>
          You can revoke each mandate, withdraw the whole balance of your spending wallet to the address that you sign
          in with, and stop using the service at any time. A vault returns its money to you without the service:{" "}
          <Link href="/docs/contracts">the contracts</Link> describe how.
        </p>
      </Part>
      <Part title="Contact">
        <p>
          <ReachOperator operator={serviceOperator} />
        </p>
      </Part>
    </TextPage>
  );
}
