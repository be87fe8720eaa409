import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { KeyState } from "@/lib/identity/rules";

export type PublishedKeysProps = { keys: readonly KeyState[] };

/** The published keys, the state of each, and the addresses to read them from. */
export function PublishedKeys({ keys }: PublishedKeysProps) {
  return (
    <Card title="Published keys" className="grid gap-5 [&>header]:mb-0">
      <p className="measure text-control text-ink-2">
        A credential names the key that signed it. A new key is published at least 15 minutes before it signs, and stays
        until the last credential that it signed has expired. Cache the keys for five minutes, and fetch them again if a
        credential names a key you do not have.
      </p>
      <Table
        caption="Published keys"
        columns={[
          {
            key: "kid",
            header: "Key (kid)",
            cell: ({ kid }) => <span className="mono text-small break-all">{kid}</span>,
          },
          {
            key: "state",
            header: "State",
            cell: (key) => (
              <>
                <Badge tone={TONES[key.state]}>{WORDS[key.state]}</Badge>
                <p className="mt-1 text-tiny text-ink-2 sm:hidden">
                  <Until {...key} />
                </p>
              </>
            ),
          },
          { key: "until", header: "Until when", from: "sm", cell: (key) => <Until {...key} /> },
        ]}
        rows={keys}
        rowKey={({ kid }) => kid}
      />
      <ul className="grid gap-2 text-control sm:grid-cols-2">
        {DOCUMENTS.map(({ href, what: description }) => (
          <li key={href}>
            {/* Not a page of the app router: the browser shows the document itself. */}
            <a
              href={href}
              className="inline-flex min-h-8 items-center break-all underline underline-offset-4 max-sm:min-h-11"
            >
              <code className="mono">{href}</code>
            </a>
            <p className="text-small text-ink-2">{description}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const WORDS = { active: "Signs now", next: "Takes over next", retired: "Retired" } satisfies Record<
  KeyState["state"],
  string
>;
const TONES = { active: "good", next: "info", retired: "neutral" } satisfies Record<KeyState["state"], BadgeTone>;

function Until({ state, until }: KeyState) {
  if (!until) return "No successor is planned yet";
  return (
    <>
      {BEFORE[state]} <Time at={until} form="short" />
    </>
  );
}

const BEFORE = { active: "Signs until", next: "Takes over on", retired: "Stays until" } satisfies Record<
  KeyState["state"],
  string
>;

const DOCUMENTS = [
  { href: "/.well-known/jwks.json", what: "The public keys, for verifiers." },
  { href: "/.well-known/did.json", what: "The same keys as a did:web document." },
  {
    href: "/.well-known/agent-identity",
    what: "Issuer, endpoints and limits, for programs that configure themselves.",
  },
  { href: "/public-key.pem", what: "The current signing key, for inspection. Do not pin it." },
];
