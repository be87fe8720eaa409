"use client";

import { ExternalLink } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Qr } from "@/components/ui/qr";

export type MadeLink = { linkId: string; url: string };

/** Shows the URL of the new link. */
export function LinkMade({ link: { linkId, url }, again: onCreateAnother }: { link: MadeLink; again: () => void }) {
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
