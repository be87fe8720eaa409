"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Note } from "@/components/ui/note";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import type { EventGroup } from "./types";
import { useWebhookCall } from "./use-webhook-call";
import { WebhookForm, type WebhookTerms } from "./webhook-form";
import { SECRET_RISK } from "./words";

export type WebhookActionsProps = {
  webhookId: string;
  enabled: boolean;
  isVerified: boolean;
  now: WebhookTerms;
  groups: readonly EventGroup[];
};

export function WebhookActions({ webhookId, enabled, isVerified, now: currentTerms, groups }: WebhookActionsProps) {
  const path = `/api/webhooks/${webhookId}` as const;
  const [open, setOpen] = useState<"edit" | "rotate" | "delete">();
  const [secret, setSecret] = useState<string>();
  const { send, isBusy, failure, dialog, forget } = useWebhookCall();

  async function save(terms: object, successMessage: string) {
    if (!(await send("PATCH", path, terms))) return;
    toast.success(successMessage);
    setOpen(undefined);
  }

  async function sendTest() {
    if (await send("POST", `${path}/test`)) toast.success("Test event on its way");
  }

  async function verify() {
    if (await send("POST", `${path}/verify`)) toast.success("Challenge on its way");
  }

  function close() {
    setOpen(undefined);
    forget();
  }

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {isVerified ? (
          <Button size="small" busy={isBusy} onClick={() => void sendTest()}>
            Send test event
          </Button>
        ) : (
          <Button size="small" variant="primary" busy={isBusy} onClick={() => void verify()}>
            Verify receiver
          </Button>
        )}
        <Button
          size="small"
          onClick={() => void save({ enabled: !enabled }, enabled ? "Webhook disabled" : "Webhook enabled")}
        >
          {enabled ? "Disable" : "Enable"}
        </Button>
        <Button size="small" onClick={() => setOpen("edit")}>
          Edit
        </Button>
        <Button size="small" onClick={() => setOpen("rotate")}>
          Rotate secret
        </Button>
        <Button size="small" variant="quiet" className="text-bad! hover:text-bad-2!" onClick={() => setOpen("delete")}>
          Delete
        </Button>
      </div>
      {failure && open === undefined && (
        <Note tone="bad" live="assertive">
          {failure.message}
        </Note>
      )}
      {open === "edit" && (
        <WebhookForm
          title="Edit webhook"
          verb="Save changes"
          groups={groups}
          now={currentTerms}
          isBusy={isBusy}
          failure={failure}
          save={(terms: WebhookTerms) => void save(terms, "Webhook updated")}
          forget={forget}
          close={close}
          nested={dialog}
        />
      )}
      <RotateConfirm path={path} open={open === "rotate"} close={close} show={setSecret} />
      <DeleteConfirm path={path} open={open === "delete"} close={close} />
      {secret !== undefined && (
        <SecretDialog
          title="Store the new secret"
          secret={secret}
          risk={SECRET_RISK}
          close={() => setSecret(undefined)}
        >
          For the next 24 hours every message is signed with both secrets. Switch your receiver to the new one within
          that time.
        </SecretDialog>
      )}
    </div>
  );
}

type StepProps = { path: `/${string}`; open: boolean; close: () => void };

function RotateConfirm({ path, open, close, show }: StepProps & { show: (secret: string) => void }) {
  const router = useRouter();
  const { post, dialog } = useConfirmed();

  async function rotate(): Promise<string | undefined> {
    const response = await post<{ secret: string }>(`${path}/rotate`, {});
    if (!response.ok) return sentenceFor(response);
    show(response.data.secret);
    router.refresh();
    return undefined;
  }

  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Rotate the secret"
      verb="Rotate secret"
      tone="primary"
      onConfirm={rotate}
      nested={dialog}
    >
      You get a new secret, after you sign with your wallet. The current secret also signs for 24 hours. A secret that
      is already being replaced stops at once.
    </Confirm>
  );
}

function DeleteConfirm({ path, open, close }: StepProps) {
  const router = useRouter();

  async function remove(): Promise<string | undefined> {
    const response = await callApi("DELETE", path);
    if (!response.ok) return sentenceFor(response);
    toast.success("Webhook deleted");
    router.push("/dashboard/webhooks");
    router.refresh();
    return undefined;
  }

  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Delete this webhook"
      verb="Delete webhook"
      onConfirm={remove}
    >
      Nothing more is sent to it, and its log and secret are deleted. This cannot be undone. To pause it, disable it
      instead.
    </Confirm>
  );
}

type ReplayButtonProps = { deliveryId: string; isWaiting: boolean };

/** Sends a delivery again, or at once if it is waiting for a retry. */
export function ReplayButton({ deliveryId, isWaiting }: ReplayButtonProps) {
  const { send, isBusy, failure } = useWebhookCall();

  async function replay() {
    if (await send("POST", `/api/webhooks/deliveries/${deliveryId}/replay`)) toast.success("Delivery on its way");
  }

  return (
    <div className="grid gap-3">
      <div>
        <Button size="small" busy={isBusy} onClick={() => void replay()}>
          {isWaiting ? "Send now" : "Send again"}
        </Button>
      </div>
      {failure && (
        <Note tone="bad" live="assertive">
          {failure.message}
        </Note>
      )}
    </div>
  );
}
