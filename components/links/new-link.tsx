"use client";

import { ExternalLink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Qr } from "@/components/ui/qr";
import { callApi } from "@/lib/http/client";
import { readDraft } from "./draft";
import type { LinkDraft, LinkStart } from "./draft-types";
import { FormFault, OfferFields, PriceFields } from "./link-fields";
import { LinkPreview } from "./link-preview";
import { OptionFields } from "./option-fields";
import { useLinkForm } from "./use-link-form";
import { faultsOf } from "./words";

export type NewLinkProps = {
  agents: readonly { id: string; name: string }[];
  /** The link to duplicate, and its agent. */
  start?: { agentId: string; link: LinkStart } | undefined;
  origins: readonly string[];
};

/** Creates a link, then shows its URL. */
export function NewLink(props: NewLinkProps) {
  const [createdLink, setMade] = useState<MadeLink>();
  const [round, setRound] = useState(0);
  if (createdLink) {
    const resetForm = () => {
      setMade(undefined);
      setRound(round + 1);
    };
    return <LinkMade link={createdLink} again={resetForm} />;
  }
  return <Form key={round} {...props} start={round === 0 ? props.start : undefined} onMade={setMade} />;
}

function Form({ agents, start, origins, onMade }: NewLinkProps & { onMade: (link: MadeLink) => void }) {
  const form = useLinkForm(start?.agentId ?? agents[0]?.id ?? "", start?.link, async (draft: LinkDraft) => {
    const parsed = readDraft(draft);
    if (parsed.type === "invalid") return parsed.faults;
    const path = `/api/agents/${draft.agentId}/payment-links` as const;
    const response = await callApi<{ paymentLink: MadeLink }>("POST", path, parsed.body);
    if (response.ok) onMade(response.data.paymentLink);
    else if (response.status === 0) return { form: UNKNOWN };
    return response.ok ? undefined : faultsOf(response);
  });
  const agentName = agents.find(({ id }) => id === form.draft.agentId)?.name ?? "";
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]">
      <Card>
        <form ref={form.ref} onSubmit={form.submit} noValidate aria-label="New payment link" className="grid gap-5">
          <PriceFields form={form} agents={agents} />
          <OfferFields form={form} origins={origins} />
          <OptionFields form={form} />
          <FormFault form={form} />
          <Button type="submit" variant="primary" wide busy={form.isBusy}>
            Create link
          </Button>
        </form>
      </Card>
      <LinkPreview draft={form.draft} agentName={agentName} />
    </div>
  );
}

const UNKNOWN =
  "The server could not be reached, so the link may or may not have been created. Check your links before you try again. Your input is still here.";

type MadeLink = { linkId: string; url: string };

function LinkMade({ link: { linkId, url }, again: onCreateAnother }: { link: MadeLink; again: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card lift className="grid max-w-150 gap-6">
      <div className="grid gap-1.5">
        <h2 ref={heading} tabIndex={-1} className="rounded-control text-[1.125rem] leading-snug">
          Your link is ready
        </h2>
        <p className="text-control text-ink-2">Send it to the payer. People and agents can pay it.</p>
      </div>
      <Qr value={url} label="Scan to open the checkout" className="justify-self-center" />
      <div className="flex flex-wrap justify-center gap-2.5">
        <Copy value={url} label="Copy link" className="min-h-11!" />
        <a href={url} target="_blank" rel="noreferrer" className={cx(buttonClass({ size: "small" }), "min-h-11!")}>
          <ExternalLink aria-hidden />
          Open the checkout
        </a>
      </div>
      <div className="flex flex-wrap justify-between gap-2.5 border-t pt-5">
        <Button onClick={onCreateAnother}>Create another link</Button>
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink href="/dashboard/links">All links</ButtonLink>
          <ButtonLink href={`/dashboard/links/${linkId}`} variant="primary">
            View this link
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
