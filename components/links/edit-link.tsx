"use client";

import { useRouter } from "next/navigation";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { FormFault } from "@/components/ui/form-faults";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { formatUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";
import { NETWORKS } from "@/lib/x402/networks";
import { readChange } from "./draft";
import type { LinkStart } from "./draft-types";
import { OfferFields } from "./link-fields";
import { LinkPreview } from "./link-preview";
import { MoreFields } from "./more-fields";
import { useLinkForm } from "./use-link-form";
import { faultsOf } from "./words";

export type EditLinkProps = {
  linkId: string;
  agentId: string;
  agentName: string;
  link: LinkStart;
  reference: string | null;
  uses: { settled: number; open: number };
  origins: readonly string[];
};

/** Edits a link for future payers. Sends only changed fields, so that concurrent edits of other fields are kept. */
export function EditLink({ linkId, agentId, agentName, link, reference, uses, origins }: EditLinkProps) {
  const router = useRouter();
  const page = `/dashboard/links/${linkId}`;
  const form = useLinkForm(agentId, link, async (draft, initialDraft) => {
    const parsed = readChange(initialDraft, draft);
    if (parsed.type === "invalid") return parsed.faults;
    const response = await callApi("PATCH", `/api/agents/${agentId}/payment-links/${linkId}`, parsed.change);
    if (!response.ok) return faultsOf(response);
    toast.success("Link updated");
    router.push(page);
    router.refresh();
    return undefined;
  });
  return (
    <form
      ref={form.ref}
      onSubmit={form.submit}
      noValidate
      aria-label="Edit payment link"
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_360px]"
    >
      <Card className="grid gap-5">
        <section aria-label="What cannot be changed" className="grid gap-3 border-b pb-6">
          <Facts>
            <Fact label="Agent">
              <bdi>{agentName}</bdi>
            </Fact>
            <Fact label="Price">
              <Amount value={formatUsdc(link.amount)} className="whitespace-normal!" />
            </Fact>
            <Fact label="Network">{NETWORKS[link.network].label}</Fact>
            {reference !== null && (
              <Fact label="Your reference">
                <bdi>{reference}</bdi>
              </Fact>
            )}
          </Facts>
          <p className="text-small text-ink-2">
            These cannot be changed, because a buyer or your own program may already use them.{" "}
            <Link href={`/dashboard/links/new?from=${linkId}`} className="underline underline-offset-4">
              Duplicate the link
            </Link>{" "}
            to sell at another price.
          </p>
        </section>
        <OfferFields form={form} headerNames={link.upstream?.headerNames} isNew={false} />
        <MoreFields form={form} origins={origins} isNew={false} />
      </Card>
      <LinkPreview
        draft={form.draft}
        agentName={agentName}
        taken={uses.settled + uses.open}
        className="lg:row-span-2"
      />
      <div className="grid gap-5">
        <FormFault fault={form.faults.form} />
        <Note>
          {uses.open > 0 && `${uses.open} ${uses.open === 1 ? "payment is" : "payments are"} under way. `}A payment
          already accepted completes, with the content as it was then. Changes apply to new payments only.
        </Note>
        <div className="flex flex-wrap justify-end gap-2.5 max-sm:[&>*]:flex-1">
          <ButtonLink href={page}>Go back</ButtonLink>
          <Button type="submit" variant="primary" busy={form.isBusy}>
            Save changes
          </Button>
        </div>
      </div>
    </form>
  );
}
