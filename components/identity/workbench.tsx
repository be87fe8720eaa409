"use client";

import { decodeJwt, decodeProtectedHeader } from "jose";
import { type FormEvent, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact, Facts } from "@/components/ui/facts";
import { SelectField, TextArea, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { Time } from "@/components/ui/time";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { callApi } from "@/lib/http/client";
import { Decoded } from "./decoded";
import { type Pasted, VerifyPanel } from "./verify-panel";

export type WorkbenchProps = {
  /** The owner's agents; null without a session. `isBound`: the owner has signed something for the agent. */
  agents: readonly (IssuePanelProps["agents"][number] & { isBound: boolean })[] | null;
  limits: IssuePanelProps["limits"];
};

const NOTHING: Pasted = { vc: "", audience: "", challenge: "" };

/** Issues a credential, passes it to the verifier below, and verifies it. */
export function Workbench({ agents, limits }: WorkbenchProps) {
  const [passed, setPassed] = useState({ times: 0, pasted: NOTHING });
  const passOn = (pasted: Pasted) => setPassed({ times: passed.times + 1, pasted });
  const bound = agents?.filter(({ isBound }) => isBound) ?? [];
  return (
    <>
      <Card title="Issue a credential" className="grid gap-5 [&>header]:mb-0">
        {agents === null && <SignedOut />}
        {agents?.length === 0 && <NoAgents />}
        {agents !== null && agents.length > 0 && bound.length === 0 && <NothingSigned />}
        {bound.length > 0 && <IssuePanel agents={bound} limits={limits} onVerify={passOn} />}
      </Card>
      <VerifyPanel key={passed.times} initial={passed.pasted} isPassedOn={passed.times > 0} />
    </>
  );
}

function SignedOut() {
  return (
    <>
      <p className="measure text-control text-ink-2">
        Agents request credentials themselves, at <code className="mono">POST /agent/vc/issue</code>. Signed in, you can
        have one issued for your agent, to try it out or to help an agent that cannot. You sign one message with your
        wallet; it costs nothing and moves no money.
      </p>
      <div>
        <SignInButton label="Sign in with your wallet" />
      </div>
    </>
  );
}

function NoAgents() {
  return (
    <EmptyState
      title="No agent is linked yet"
      action={
        <ButtonLink href="/dashboard/agents#link" variant="primary">
          Link an agent
        </ButtonLink>
      }
    >
      A credential says who an agent is. Link an agent to have credentials issued for it here.
    </EmptyState>
  );
}

function NothingSigned() {
  return (
    <EmptyState
      title="Nothing is signed yet"
      action={
        <ButtonLink href="/dashboard/mandates" variant="primary">
          Open mandates
        </ButtonLink>
      }
    >
      You can have credentials issued for an agent once you have signed a mandate or approved a payment of it. Until
      then only the agent can get them.
    </EmptyState>
  );
}

type IssuePanelProps = {
  agents: readonly { agentId: string; name: string }[];
  limits: { challengeBytes: number; ttlSeconds: number };
  onVerify: (pasted: Pasted) => void;
};

type Form = { agentId: string; audience: string; challenge: string; lifetime: string; seconds: string };
type Problems = Partial<Record<"audience" | "challenge" | "seconds", string>>;

function IssuePanel({ agents, limits, onVerify }: IssuePanelProps) {
  const [form, setForm] = useState<Form>({
    agentId: agents[0]?.agentId ?? "",
    audience: "",
    challenge: "",
    lifetime: "300",
    seconds: "60",
  });
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<{ issued: Issued; audience: string; challenge: string }>();

  function change(part: Partial<Form>) {
    setForm({ ...form, ...part });
    setProblems({});
    setFailure(undefined);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const nextProblems = problemsOf(form, limits);
    setProblems(nextProblems);
    if (Object.keys(nextProblems).length > 0) return;
    setBusy(true);
    setFailure(undefined);
    const { agentId, audience, challenge } = form;
    const request = { audience, challenge, ttl_seconds: ttlOf(form) };
    const response = await callApi<Issued>("POST", `/api/agents/${agentId}/credentials`, request);
    setBusy(false);
    // Keep the credential shown before: it may still be valid, and it is stored nowhere else.
    if (response.ok) setDone({ issued: response.data, audience, challenge });
    // A credential that did not arrive is no loss: the next one is equivalent.
    else setFailure(response.code === "unreachable" ? response.message : sentenceFor(response));
  }

  const bytes = new TextEncoder().encode(form.challenge).length;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <form onSubmit={submit} noValidate className="grid min-w-0 gap-4">
        <SelectField
          label="Agent"
          value={form.agentId}
          onChange={(event) => change({ agentId: event.target.value })}
          options={agents.map(({ agentId, name }) => ({ value: agentId, label: `${name} (${shorten(agentId)})` }))}
        />
        <TextField
          label="Audience"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder="https://api.example.com"
          value={form.audience}
          onChange={(event) => change({ audience: event.target.value })}
          error={problems.audience}
          hint="The one service that may accept it, spelled exactly as that service does: usually its origin."
        />
        <div className="grid gap-2.5">
          <TextArea
            label="Challenge"
            aside={
              <span className={bytes > limits.challengeBytes ? "text-bad" : undefined}>
                {bytes} of {limits.challengeBytes} bytes
              </span>
            }
            rows={2}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            className="[&_textarea]:font-mono"
            value={form.challenge}
            onChange={(event) => change({ challenge: event.target.value })}
            error={problems.challenge}
            hint="The text that the service gave the agent for this visit. To try it out, create one."
          />
          <div>
            <Button size="small" onClick={() => change({ challenge: randomChallenge() })}>
              Create a challenge
            </Button>
          </div>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Lifetime"
            value={form.lifetime}
            onChange={(event) => change({ lifetime: event.target.value })}
            options={LIFETIMES}
          />
          {form.lifetime === FREE && (
            <TextField
              label="Seconds"
              inputMode="numeric"
              autoComplete="off"
              value={form.seconds}
              onChange={(event) => change({ seconds: event.target.value })}
              error={problems.seconds}
            />
          )}
        </div>
        {failure !== undefined && (
          <Note tone="bad" live="assertive" title="No credential was issued">
            {failure}
          </Note>
        )}
        <div>
          <Button type="submit" variant="primary" busy={isBusy}>
            Issue credential
          </Button>
        </div>
      </form>
      {done ? (
        <IssuedCredential
          key={done.issued.jti}
          issued={done.issued}
          audience={done.audience}
          onVerify={() => onVerify({ vc: done.issued.vc, audience: done.audience, challenge: done.challenge })}
        />
      ) : (
        <p className="rounded-control border border-dashed border-line-2 px-6 py-10 text-center text-small text-ink-2">
          The credential appears here. Its holder can show it to that one audience until it expires. It cannot pay, and
          it cannot call the wallet API.
        </p>
      )}
    </div>
  );
}

const FREE = "free";
const LIFETIMES = [
  { value: "300", label: "5 minutes" },
  { value: "900", label: "15 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "24 hours" },
  { value: FREE, label: "Another time" },
];

const ttlOf = ({ lifetime, seconds }: Form): number => {
  const text = lifetime === FREE ? seconds.trim() : lifetime;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
};

function problemsOf(form: Form, limits: IssuePanelProps["limits"]): Problems {
  const ttlSeconds = ttlOf(form);
  const isTooLong = new TextEncoder().encode(form.challenge).length > limits.challengeBytes;
  return {
    ...(form.audience === "" && { audience: "Name the service that may accept it." }),
    ...(form.challenge === "" && { challenge: "Enter the challenge, or create one." }),
    ...(isTooLong && { challenge: `A challenge has at most ${limits.challengeBytes} bytes.` }),
    ...(!(ttlSeconds >= 1 && ttlSeconds <= limits.ttlSeconds) && {
      seconds: `Whole seconds, from 1 to ${limits.ttlSeconds}.`,
    }),
  };
}

/** 32 random bytes, as a service would generate them. */
const randomChallenge = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

type Issued = { vc: string; jti: string; issued_at: number; expires_at: number; kid: string };
type IssuedCredentialProps = { issued: Issued; audience: string; onVerify: () => void };

function IssuedCredential({ issued, audience, onVerify }: IssuedCredentialProps) {
  const { vc, expires_at } = issued;
  return (
    <div className="grid min-w-0 gap-4">
      <Note tone="good" live="polite" title="Credential issued">
        The holder of this text can present it only to <bdi>{audience}</bdi>, until it expires. It cannot pay and cannot
        call the wallet API. It cannot be revoked: it expires by itself.
      </Note>
      <Segments vc={vc} />
      <div className="flex flex-wrap gap-2.5">
        <Copy value={vc} label="Copy credential" />
        <Button size="small" onClick={onVerify}>
          Verify it below
        </Button>
      </div>
      <Facts>
        <Fact label="Expires">
          <Time at={new Date(expires_at * 1000)} />
        </Fact>
      </Facts>
      <Decoded of="issued" header={decodeProtectedHeader(vc)} claims={decodeJwt(vc)} />
    </div>
  );
}

/** One element, so that the credential can be selected as a whole. */
function Segments({ vc }: { vc: string }) {
  const [header, payload, signature] = vc.split(".");
  return (
    <div className="min-w-0">
      <section
        aria-label="The credential"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
        tabIndex={0}
        className="max-h-56 overflow-auto rounded-control bg-sunk p-4 text-small leading-relaxed"
      >
        <code className="mono break-all" dir="ltr">
          <span className="text-info">{header}</span>.<span className="text-brand">{payload}</span>.
          <span className="text-ink-2">{signature}</span>
        </code>
      </section>
      <p className="mt-1.5 text-tiny text-ink-2">
        Between the dots: <span className="text-info">header</span>, <span className="text-brand">payload</span>,
        signature.
      </p>
    </div>
  );
}
