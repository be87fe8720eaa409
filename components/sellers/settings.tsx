"use client";

import { useRouter } from "next/navigation";
import { type ChangeEvent, type FormEvent, useId, useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { NAME_MAX } from "@/lib/core/lengths";
import { callApi, type Failure } from "@/lib/http/client";
import type { DomainItem } from "@/lib/sellers/contract";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, SUPPORT_MAX } from "@/lib/sellers/limits";
import type { ProfileView } from "@/lib/sellers/profile/contract";

/** The owner's public profile, which buyers see. */
export function ProfileForm({ profile }: { profile: ProfileView }) {
  const router = useRouter();
  const [name, setName] = useState(profile.name ?? "");
  const [support, setSupport] = useState(profile.support ?? "");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const response = await callApi("PATCH", "/api/seller/profile", { name: filled(name), support: filled(support) });
    setBusy(false);
    if (!response.ok) return setFailure(response);
    toast.success("Profile saved");
    router.refresh();
  }

  const field = failure?.details?.field;
  return (
    <div className="grid max-w-100 gap-5">
      <Logo logoUrl={profile.logoUrl} />
      <form onSubmit={submit} noValidate aria-label="Seller profile" className="grid gap-4">
        <TextField
          label="Name"
          aside="Optional"
          dir="auto"
          autoComplete="organization"
          maxLength={NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="Without a name, buyers see the name of your agent."
          error={field === "name" ? `Enter up to ${NAME_MAX} visible characters.` : undefined}
        />
        <TextField
          label="Support contact"
          aside="Optional"
          autoComplete="off"
          spellCheck={false}
          maxLength={SUPPORT_MAX}
          placeholder="help@shop.example"
          value={support}
          onChange={(event) => setSupport(event.target.value)}
          hint="An e-mail address or an https address."
          error={field === "support" ? "Enter an e-mail address, or an address that begins with https://." : undefined}
        />
        {failure && field === undefined && (
          <Note tone="bad" live="assertive">
            {sentenceFor(failure)}
          </Note>
        )}
        <div>
          <Button type="submit" busy={isBusy}>
            Save profile
          </Button>
        </div>
      </form>
    </div>
  );
}

function Logo({ logoUrl }: { logoUrl: string | null }) {
  const router = useRouter();
  const id = useId();
  const [fault, setFault] = useState<string>();

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (!file) return;
    setFault(undefined);
    const isSmall = file.size <= LOGO_BYTES_MAX;
    const response = isSmall && (await callApi("POST", "/api/seller/logo", { data: await base64(file) }));
    target.value = "";
    if (!response) return setFault(`This file is larger than ${LOGO_BYTES_MAX / 1000} KB.`);
    if (!response.ok) return setFault(response.code === "logo_invalid" ? NO_LOGO : sentenceFor(response));
    toast.success("Logo saved");
    router.refresh();
  }

  async function remove() {
    const response = await callApi("DELETE", "/api/seller/logo");
    if (!response.ok) return setFault(sentenceFor(response));
    toast.success("Logo removed");
    router.refresh();
  }

  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        {logoUrl !== null && (
          // biome-ignore lint/performance/noImgElement: our own route serves it, and needs no second encoding
          <img
            src={logoUrl}
            alt="Your logo"
            width={56}
            height={56}
            className="size-14 rounded-control border object-contain"
          />
        )}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={`${id}-hint`}
          onChange={(event) => void choose(event)}
          className="peer sr-only"
        />
        <label
          htmlFor={id}
          className={cx(
            buttonClass({}),
            "cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2",
          )}
        >
          {logoUrl === null ? "Choose a logo" : "Choose another logo"}
        </label>
        {logoUrl !== null && (
          <Button variant="quiet" onClick={() => void remove()}>
            Remove logo
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="text-small text-ink-2">
        A PNG, JPEG or WebP of at most {LOGO_BYTES_MAX / 1000} KB and {LOGO_SIDE_MAX} pixels a side.
      </p>
      {fault !== undefined && (
        <Note tone="bad" live="assertive">
          {fault}
        </Note>
      )}
    </div>
  );
}

const NO_LOGO = `This file is not a PNG, JPEG or WebP of at most ${LOGO_SIDE_MAX} pixels a side, or it is animated, damaged or turned by its metadata.`;

const filled = (text: string): string | null => (text.trim() === "" ? null : text.trim());

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let index = 0; index < bytes.length; index += 0x8000)
    text += String.fromCharCode(...bytes.subarray(index, index + 0x8000));
  return btoa(text);
}

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
  too_many_domains: "You already have ten domains, the maximum. Remove one first.",
};
