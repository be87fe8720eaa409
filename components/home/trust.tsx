import { Card } from "@/components/ui/card";
import { Note } from "@/components/ui/note";

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
    stolen: "of each open mandate, what is released and not spent",
  },
  {
    place: "Vault with the agent’s key",
    held: "Each payment also needs a signature of a key that only the agent holds.",
    tricked: "the same, within what the vault released",
    stolen: "nothing, without the agent’s key as well",
  },
] as const;

/** What an owner can lose, and what the service does not promise. */
export const Trust = () => (
  <section aria-labelledby="trust" className="grid min-w-0 gap-4 [&_a]:underline [&_a]:underline-offset-4">
    <div>
      <h2 id="trust" className="text-title">
        The most you can lose
      </h2>
      <p className="mt-1.5 measure text-control text-ink-2">
        You choose where an agent’s money is, mandate by mandate. That decides what a mistake or a theft can cost you.
      </p>
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
              <dt className="text-tiny text-ink-2">If this service is stolen: server, database and keys</dt>
              <dd className="text-control font-medium">{stolen}</dd>
            </div>
          </dl>
        </Card>
      ))}
    </div>
    <Note tone="warn" title="Nobody has audited the contracts">
      Their tests and the review are by their authors. You need not believe us: the terms, the code on the chain and a
      way out without us can be <a href="/docs/vault-or-wallet">checked line by line</a>.
    </Note>
    <Card>
      <h3 className="text-body">What it cannot promise</h3>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-control text-ink-2">
        <li>
          The service holds the key of your spending wallet, encrypted. Keep there what your agents need, not your
          savings.
        </li>
        <li>An agent can spend its budget badly. A mandate bounds the loss; it does not judge what was bought.</li>
        <li>A settled payment cannot be reversed.</li>
      </ul>
      <p className="mt-3 text-small">
        <a href="/docs/trust">Who can lose what</a>
      </p>
    </Card>
  </section>
);
