"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { SecretDialog } from "@/components/ui/secret-dialog";
import type { EventGroup } from "./types";
import { useWebhookCall } from "./use-webhook-call";
import { WebhookForm, type WebhookTerms } from "./webhook-form";
import { SECRET_RISK } from "./words";

export type NewWebhookProps = { groups: readonly EventGroup[]; isFull: boolean };

const EMPTY: WebhookTerms = { url: "", description: "", eventTypes: null };

/** Adds a webhook, and shows its secret. */
export function NewWebhook({ groups, isFull }: NewWebhookProps) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const { send, isBusy, failure, dialog, forget } = useWebhookCall();

  async function save(terms: WebhookTerms) {
    const createdWebhook = await send<{ secret: string }>("POST", "/api/webhooks", terms);
    if (!createdWebhook) return;
    setOpen(false);
    setSecret(createdWebhook.secret);
  }

  function close() {
    setOpen(false);
    forget();
  }

  return (
    <>
      <Button variant="primary" disabled={isFull} onClick={() => setOpen(true)}>
        Add webhook
      </Button>
      {isOpen && (
        <WebhookForm
          title="Add a webhook"
          verb="Add webhook"
          groups={groups}
          now={EMPTY}
          isBusy={isBusy}
          failure={failure}
          save={(terms) => void save(terms)}
          forget={forget}
          close={close}
          nested={dialog}
        />
      )}
      {secret !== undefined && (
        <SecretDialog title="Store the secret" secret={secret} risk={SECRET_RISK} close={() => setSecret(undefined)}>
          The webhook is on. Your receiver checks with this secret that a message is from us.
        </SecretDialog>
      )}
    </>
  );
}
