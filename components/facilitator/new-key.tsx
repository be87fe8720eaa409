"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { KeyForm, type KeyLimits } from "./key-form";

export type NewKeyProps = { usual: KeyLimits; limits: KeyLimits; isFull: boolean };

/** Creates an API key, and shows its secret. */
export function NewKey({ usual, limits, isFull }: NewKeyProps) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <Button variant="primary" disabled={isFull} onClick={() => setOpen(true)}>
        Create key
      </Button>
      {isOpen && (
        <KeyForm<{ secret: string }>
          title="Create a key"
          verb="Create key"
          now={{ name: "", ...usual }}
          limits={limits}
          request={{ method: "POST", path: "/api/facilitator/keys" }}
          onSaved={(created) => {
            setOpen(false);
            setSecret(created.secret);
          }}
          close={() => setOpen(false)}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title="Store the key"
          secret={secret}
          risk="Anybody who has it can settle payments in your name, within its limits. It moves none of your money."
          close={() => setSecret(undefined)}
        >
          The key works now. Your server sends it as <code className="mono">Authorization: Bearer …</code> when it
          verifies and settles a payment.
        </SecretDialog>
      )}
    </>
  );
}
