import type { Metadata } from "next";
import { ContactLink } from "@/components/about/operator";
import { Part, TextPage } from "@/components/about/text-page";
import { Link } from "@/components/ui/link";
import { operator } from "../operator";

export const metadata: Metadata = { title: "Security" };

export default function SecurityPage() {
  const { securityContact } = operator();
  return (
    <TextPage
      title="Security"
      description="How to report a vulnerability, what counts as one, and what has been checked."
    >
      <Part title="Report a vulnerability">
        {securityContact === null ? (
          <p>
            The operator of this service has not published an address for reports. Use the private vulnerability report
            of the repository that this service is built from, and do not open a public issue.
          </p>
        ) : (
          <p>
            Write to <ContactLink contact={securityContact} />, and do not publish it before it is fixed.
          </p>
        )}
        <p>
          Say what you sent, what you expected and what happened. The best report is a script against a local devnet: it
          needs no account and no real money. The same contact for programs is in{" "}
          <a href="/.well-known/security.txt">/.well-known/security.txt</a>.
        </p>
      </Part>
      <Part title="What counts">
        <ul>
          <li>
            Money: a lost payment, a double payment, a mandate or a link whose limit can be exceeded, a transfer that
            its owner did not allow.
          </li>
          <li>A false statement about money in a page, a response, a receipt, a webhook or a CSV file.</li>
          <li>Acting as another owner or agent, or reading their data.</li>
          <li>One request, one proof or one account that blocks others.</li>
        </ul>
        <p>Tests against other people’s accounts, and load from many machines, are out of scope.</p>
      </Part>
      <Part title="What has been checked, and what has not">
        <p>
          Nobody outside has audited the service or its contracts. The tests are by their authors.{" "}
          <Link href="/docs/trust">Who can lose what</Link> lists the most that each party can lose, and{" "}
          <Link href="/docs/vault-or-wallet">Vault or spending wallet</Link> how to check each line without us.
        </p>
        <p>
          <a href="/vault-exit.html">Leave a vault</a> is a page that you can save: with it and your wallet you take the
          money out of a vault when this service is down, or gone.
        </p>
      </Part>
    </TextPage>
  );
}
