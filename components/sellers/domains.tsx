"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { DomainItem } from "@/lib/sellers/contract";

/** The owner's domains, with the proof to publish for each. */
export function Domains({ domains }: { domains: readonly DomainItem[] }) {
  return (
    <div className="grid gap-5">
      {domains.length > 0 && (
        <ul className="grid gap-4">
          {domains.map((domain) => (
            <li key={domain.domainId}>
              <Domain domain={domain} />
            </li>
          ))}
        </ul>
      )}
      <AddDomain />
    </div>
  );
}

function Domain({ domain }: { domain: DomainItem }) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { host } = new URL(domain.origin);
  const path = `/api/seller/domains/${domain.domainId}` as const;

  async function send(method: "POST" | "DELETE", to: `/${string}`, done: string) {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const response = await callApi(method, to);
    setBusy(false);
    router.refresh();
    if (response.ok) return void toast.success(done);
    const { reason } = response.details ?? {};
    setFailure(
      typeof reason === "string" ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` : sentenceFor(response),
    );
  }

  return (
    <section aria-label={host} className="grid gap-3 rounded-control border p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="min-w-0 text-body [overflow-wrap:anywhere]">{host}</h3>
        {domain.isVerified ? <Badge tone="good">Verified</Badge> : <Badge tone="neutral">Not verified</Badge>}
      </div>
      {domain.missingSince !== null && (
        <Note tone="warn" title="The proof is missing">
          We have not found it since <Time at={domain.missingSince} form="short" />. After a week without it, the domain
          counts as not verified.
        </Note>
      )}
      {!domain.isVerified && (
        <div className="grid gap-2 text-small text-ink-2">
          <p>
            Publish this text as a TXT record of {host}, or as a line of the file at{" "}
            <span className="mono [overflow-wrap:anywhere]">{domain.fileUrl}</span>
          </p>
          <div className="flex items-start justify-between gap-2 rounded-control bg-sunk py-2 pr-2 pl-3.5">
            <code className="mono min-w-0 py-1 [overflow-wrap:anywhere]">{domain.proof}</code>
            <Copy value={domain.proof} label="Copy proof" iconOnly />
          </div>
        </div>
      )}
      {failure !== undefined && (
        <Note tone="bad" live="assertive" title="Not verified">
          {failure}
        </Note>
      )}
      <div className="flex flex-wrap gap-2.5">
        <Button busy={isBusy} onClick={() => void send("POST", `${path}/verify`, `${host} is verified`)}>
          {domain.isVerified ? "Check again" : "Verify domain"}
        </Button>
        <Button variant="quiet" disabled={isBusy} onClick={() => void send("DELETE", path, `${host} is removed`)}>
          Remove domain
        </Button>
      </div>
    </section>
  );
}

function AddDomain() {
  const router = useRouter();
  const [domain, setDomain] = useState("");
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const response = await callApi("POST", "/api/seller/domains", { domain });
    setBusy(false);
    if (!response.ok) return setFault(SENTENCES[response.code] ?? sentenceFor(response));
    setDomain("");
    router.refresh();
  }

  return (
    <form onSubmit={submit} noValidate aria-label="Add a domain" className="grid max-w-100 gap-3">
      <TextField
        label="Domain"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        placeholder="shop.example.com"
        value={domain}
        onChange={(event) => {
          setDomain(event.target.value);
          setFault(undefined);
        }}
        error={fault}
      />
      <div>
        <Button type="submit" busy={isBusy}>
          Add domain
        </Button>
      </div>
    </form>
  );
}

const SENTENCES: Record<string, string> = {
  domain_invalid: "Enter the name of a public site, for example, shop.example.com.",
  too_many_domains: "You have as many domains as you can. Remove one first.",
};
