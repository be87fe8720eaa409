import type { Metadata } from "next";
import { operatorName, ReachOperator } from "@/components/about/operator";
import { Part, TextPage } from "@/components/about/text-page";
import { Link } from "@/components/ui/link";
import { system } from "@/lib/wiring";
import { operator } from "../operator";

export const metadata: Metadata = { title: "Privacy" };

/** What lib/**\/tables.ts stores, and what lib/retention.ts deletes: docs/operations.md. */
export default function PrivacyPage() {
  const serviceOperator = operator();
  const { historyDays, site } = system().config;
  return (
    <TextPage
      title="Privacy"
      description={`What this service stores about you, why, and for how long. It is run by ${operatorName(serviceOperator)}.`}
    >
      <Part title="In short">
        <ul>
          <li>Your account is the address of your wallet. There is no password, and you do not have to give a name.</li>
          <li>Pages load nothing from other sites: no advertising, no third-party analytics, no external fonts.</li>
          <li>Payments are on a public chain. Everyone can see their addresses, amounts and times, forever.</li>
        </ul>
      </Part>
      <Part title="If you have an account">
        <ul>
          <li>Your address, when you first and last signed in, and the agents that you linked, with their names.</li>
          <li>
            Your mandates, approvals, payments, payouts, refunds, address book and lists of payees: amounts, hosts,
            addresses, descriptions by agents and sellers, and the signatures that allow them.
          </li>
          <li>
            For each browser in which you are signed in: when it was last used, and how it identifies itself (its
            User-Agent), so that you can end a session that is not yours.
          </li>
          <li>An e-mail address, if you give one for notices, and the e-mails of the last 30 days.</li>
          <li>
            For each browser in which you turned notices on: its address at the browser maker’s push service, its
            encryption keys, the notices you chose, and the notices of the last 30 days. The text of a notice or an
            e-mail is deleted once we have sent it or stopped trying.
          </li>
          <li>
            Your activity, webhooks and what was sent to them, and, if you sell, your links with their files and images,
            your name, logo and domains.
          </li>
        </ul>
      </Part>
      <Part title="If you buy something here">
        <ul>
          <li>The payment: your address, the amount, the time, your signature and what was bought.</li>
          <li>What you answer to the seller’s questions. The seller sees it too.</li>
          <li>
            A visit to a checkout is counted under a random number that your browser generates. If you sign a payment,
            your address and that payment’s number belong to the visit. No IP address is stored with it.
          </li>
        </ul>
      </Part>
      <Part title="Addresses of your device">
        <p>
          Your IP address is used to limit how often requests can be made. These counts are deleted an hour after they
          end. The operator may run a proxy in front of the service that keeps its own logs.
        </p>
      </Part>
      <Part title="In your browser">
        <p>
          Cookies keep you signed in. Another cookie holds the language that you chose for checkouts and receipts, for a
          year, and nothing else. The browser’s storage holds your choice of light or dark, the state of your wallet’s
          connection, and your payments at checkouts: a reload does not pay twice, and what you bought can be shown
          again. If you turn notices on, it keeps a small script that shows them, until you delete this site’s data.
        </p>
      </Part>
      <Part title="How it is kept">
        <p>
          Keys, webhook secrets and stored responses are encrypted. Tokens are stored as hashes. The operator decides
          how the database is backed up.
        </p>
      </Part>
      <Part title="For how long">
        <ul>
          <li>Payments, settlements, receipts and the ledger stay: they are the record of where money went.</li>
          <li>
            {historyDays === null
              ? "Activity and visits to links are kept indefinitely."
              : `Activity and visits to links are deleted after ${historyDays} days.`}
          </li>
          <li>
            Messages to webhooks, mails and notices to browsers are deleted after 30 days, and a browser’s address for
            notices within an hour after you remove it or end its session; refused payments after 90 days, stored
            replies after one day.
          </li>
          <li>
            If you report an address to the operator, the address and what you wrote stay until the operator deletes
            them. Who sent it is not stored.
          </li>
        </ul>
      </Part>
      <Part title="Who else sees it">
        <p>
          The nodes of the chains see the transfers. Sellers see the payments to them; webhooks send events to servers
          that their owners chose. To confirm an address, the service asks the seller’s host. Nothing is sold.
        </p>
        <p>
          E-mails pass through the operator’s mail server and yours. If you turn notices on in a browser, they pass
          through the push service of its maker, for example, Google, Mozilla, Apple or Microsoft. It sees when a notice
          is sent and to which browser. It cannot read the text, which is encrypted for your browser.
        </p>
        {site.isPasskeyOffered && (
          <p>
            If you choose the wallet with a passkey, a window of Coinbase opens, at keys.coinbase.com. Coinbase then
            learns that you use it here, and its own terms apply. Nothing from Coinbase is loaded unless you choose it.
          </p>
        )}
      </Part>
      <Part title="Your requests">
        <p>
          You can export your activity, sales, payouts and mandates as CSV in the{" "}
          <Link href="/dashboard">dashboard</Link>, change or remove your e-mail address, and delete agents and links
          there. For anything else: <ReachOperator operator={serviceOperator} />
        </p>
      </Part>
    </TextPage>
  );
}
