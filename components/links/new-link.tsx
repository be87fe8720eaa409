"use client";

import { ExternalLink, Share2 } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { AgentField } from "@/components/agents/agent-field";
import { Amount } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { FormFault } from "@/components/ui/form-faults";
import { Note } from "@/components/ui/note";
import { Qr } from "@/components/ui/qr";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
import { KindField } from "./api-fields";
import { draftOf, readDraft } from "./draft";
import type { LinkDraft, LinkStart } from "./draft-types";
import { keepDraft, recallDraft } from "./kept-draft";
import { OfferFields, PriceField } from "./link-fields";
import { LinkPreview } from "./link-preview";
import { MoreFields } from "./more-fields";
import { type LinkForm, useLinkForm } from "./use-link-form";
import { faultsOf } from "./words";

type Agents = readonly { id: string; name: string }[];
export type NewLinkProps = {
  /** The signed-in owner, for whom this browser keeps an unfinished form. */
  owner: string;
  agents: Agents;
  /** The link to duplicate, and its agent. */
  start?: { agentId: string; link: LinkStart } | undefined;
  origins: readonly string[];
};

/** Creates a link, then shows its URL. */
export function NewLink(props: NewLinkProps) {
  const [createdLink, setCreated] = useState<CreatedLink>();
  const [round, setRound] = useState(0);
  if (createdLink) {
    const resetForm = () => {
      setCreated(undefined);
      setRound(round + 1);
    };
    return <LinkCreated link={createdLink} again={resetForm} />;
  }
  return <Form key={round} {...props} start={round === 0 ? props.start : undefined} onCreated={setCreated} />;
}

function Form({ owner, agents, start, origins, onCreated }: NewLinkProps & { onCreated: (link: CreatedLink) => void }) {
  const form = useLinkForm(start?.agentId ?? agents[0]?.id ?? "", start?.link, async (draft: LinkDraft) => {
    const parsed = readDraft(draft);
    if (parsed.type === "invalid") return parsed.faults;
    const path = `/api/agents/${draft.agentId}/payment-links` as const;
    const response = await callApi<{ paymentLink: CreatedLink }>("POST", path, parsed.body);
    if (response.ok) {
      // The draft of a duplicate is not kept, so another one may be.
      if (!start) keepDraft(owner, null);
      onCreated(response.data.paymentLink);
    } else if (response.status === 0) return { form: UNKNOWN };
    return response.ok ? undefined : faultsOf(response);
  });
  const kept = useKeptDraft(form, owner, agents, start === undefined);
  const agentName = agents.find(({ id }) => id === form.draft.agentId)?.name ?? "";
  return (
    <form
      ref={form.ref}
      onSubmit={form.submit}
      noValidate
      aria-label="New payment link"
      className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_360px]"
    >
      <Card className="grid gap-5">
        {kept.note}
        <AgentField
          agents={agents}
          agentId={form.draft.agentId}
          choose={(agentId) => form.change({ agentId })}
          hint="Receives the money, and can change the link."
          error={form.faults.agentId}
        />
        <KindField form={form} />
        <OfferFields form={form} headerNames={start?.link.upstream?.headerNames} isNew>
          <PriceField form={form} />
        </OfferFields>
        <MoreFields form={form} origins={origins} isNew />
      </Card>
      <LinkPreview draft={form.draft} agentName={agentName} className="lg:row-span-2" />
      <div className="grid gap-5">
        <FormFault fault={form.faults.form ?? (agents.length === 1 ? form.faults.agentId : undefined)} />
        <Button type="submit" variant="primary" wide busy={form.isBusy}>
          Create link
        </Button>
      </div>
    </form>
  );
}

/** Keeps the draft in this browser while it is typed, and restores it when the page opens again. */
function useKeptDraft(form: LinkForm, owner: string, agents: Agents, isActive: boolean) {
  const { draft, before: initialDraft, reset } = form;
  const [restored, setRestored] = useState<{ hadContent: boolean }>();

  const restore = useEffectEvent(() => {
    const kept = isActive ? recallDraft(owner) : null;
    if (!kept) return;
    const isOwned = agents.some(({ id }) => id === kept.part.agentId);
    reset({ ...initialDraft, ...kept.part, agentId: (isOwned && kept.part.agentId) || initialDraft.agentId });
    setRestored({ hadContent: kept.hadContent });
  });
  useEffect(() => restore(), []);

  useEffect(() => {
    if (isActive && draft !== initialDraft) keepDraft(owner, draft);
  }, [isActive, owner, draft, initialDraft]);

  function startOver() {
    keepDraft(owner, null);
    reset(draftOf(initialDraft.agentId));
    setRestored(undefined);
  }

  const note = restored && (
    <Note
      live="polite"
      title="Your draft is back"
      actions={
        <Button size="small" onClick={startOver}>
          Start over
        </Button>
      }
    >
      {restored.hadContent && "Enter again what they get, or the headers: this browser does not keep them."}
    </Note>
  );
  return { note };
}

const UNKNOWN =
  "The server could not be reached, so the link may or may not have been created. Check your links before you try again. Your input is still here.";

type CreatedLink = {
  linkId: string;
  url: string;
  title?: string;
  amount: string;
  upstream?: { paidUrl: string; mcpUrl?: string };
};

function LinkCreated({ link, again: onCreateAnother }: { link: CreatedLink; again: () => void }) {
  const { linkId, url, title, amount, upstream } = link;
  const address = upstream?.mcpUrl ?? upstream?.paidUrl;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card lift className="grid max-w-150 gap-6">
      <div className="grid gap-1.5">
        <h2 ref={heading} tabIndex={-1} className="rounded-control text-[1.125rem] leading-snug">
          {upstream?.mcpUrl ? "Your tools have a price" : upstream ? "Your API has a price" : "Your link is ready"}
        </h2>
        <p className="text-control text-ink-2 [overflow-wrap:anywhere]">
          {title !== undefined && (
            <>
              <bdi>{title}</bdi> ·{" "}
            </>
          )}
          <Amount value={formatUsdc(toUsdc(BigInt(amount)))} />
        </p>
      </div>
      {address !== undefined ? (
        <>
          <p className="text-control text-ink-2">
            {upstream?.mcpUrl
              ? "MCP clients connect to this address, and pay for each call:"
              : "Programs pay for each request below this address:"}
          </p>
          <p className="mono rounded-control bg-sunk px-3.5 py-3 [overflow-wrap:anywhere]">{address}</p>
          <Copy value={address} label="Copy address" variant="primary" className="min-h-11! justify-self-start" />
        </>
      ) : (
        <>
          <div className="flex flex-wrap gap-2.5">
            <Copy value={url} label="Copy link" variant="primary" className="min-h-11!" />
            <ShareButton url={url} />
            <a href={url} target="_blank" rel="noreferrer" className={cx(buttonClass({ size: "small" }), "min-h-11!")}>
              <ExternalLink aria-hidden />
              Open the checkout
            </a>
          </div>
          <Qr value={url} label="Scan to open the checkout" className="justify-self-center" />
        </>
      )}
      <div className="flex flex-wrap justify-between gap-2.5 border-t pt-5">
        <Button onClick={onCreateAnother}>Create another link</Button>
        <div className="flex flex-wrap gap-2.5">
          {upstream ? (
            <ButtonLink href={`/dashboard/links/${linkId}?section=calls`}>Try it</ButtonLink>
          ) : (
            <ButtonLink href="/dashboard/links">All links</ButtonLink>
          )}
          <ButtonLink href={`/dashboard/links/${linkId}`}>View this link</ButtonLink>
        </div>
      </div>
    </Card>
  );
}

/** Opens the device's own list of messengers, where there is one. */
function ShareButton({ url }: { url: string }) {
  const canShare = useSyncExternalStore(
    () => () => {},
    () => "share" in navigator,
    () => false,
  );
  if (!canShare) return null;
  return (
    <Button
      size="small"
      className="min-h-11!"
      // It rejects when the person closes the list.
      onClick={() => void navigator.share({ url }).catch(() => {})}
    >
      <Share2 aria-hidden />
      Share
    </Button>
  );
}
