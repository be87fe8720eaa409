"use client";

import { type ReactNode, useState } from "react";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { type Answer, callApi, type Failure } from "@/lib/http/client";
import type { Challenge, ConfirmationDialog } from "./confirmation-dialog";

/** Loaded when a call requires a signature: most do not. */
const loadDialog = () => import("./confirmation-dialog").then((module) => module.ConfirmationDialog);

/** The error code of `post` when the person did not sign. */
export const NOT_SIGNED = "signature_refused";

const REFUSED: Failure = { ok: false, status: 403, code: NOT_SIGNED, message: "You did not sign. Nothing was done." };
const NOT_LOADED: Failure = {
  ...REFUSED,
  message: "The next step could not be loaded. Nothing was done. Reload the page and try again.",
};

type Pending = {
  Dialog: typeof ConfirmationDialog;
  challenge: Challenge;
  sign: (signature: string) => Promise<Challenge | undefined>;
  close: () => void;
};

type Method = "POST" | "PATCH";

/**
 * Sends calls that may require a signature by the owner's wallet. If one does, `dialog` shows the challenge and `post` waits for the owner:
 * it resolves to the result of the signed call, or fails with NOT_SIGNED.
 */
export function useConfirmed(): {
  post: <T>(path: `/${string}`, body: object) => Promise<Answer<T>>;
  patch: <T>(path: `/${string}`, body: object) => Promise<Answer<T>>;
  dialog: ReactNode;
} {
  const [pending, setPending] = useState<Pending>();

  async function send<T>(method: Method, path: `/${string}`, body: object): Promise<Answer<T>> {
    const response = await callApi<T>(method, path, body);
    const challenge = challengeIn(response);
    if (!challenge) return response;
    const Dialog = await loadDialog().catch(() => undefined);
    if (!Dialog) return NOT_LOADED;
    return new Promise((resolve) => {
      const end = (final: Answer<T>) => {
        setPending(undefined);
        resolve(final);
      };
      const sign = async (signature: string) => {
        const signed = await callApi<T>(method, path, { ...body, signature });
        const nextChallenge = challengeIn(signed);
        if (!nextChallenge) end(signed);
        return nextChallenge;
      };
      setPending({ Dialog, challenge, sign, close: () => end(REFUSED) });
    });
  }

  return {
    post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body),
    dialog: pending && (
      <pending.Dialog
        key={pending.challenge.expiresAt}
        first={pending.challenge}
        sign={pending.sign}
        close={pending.close}
      />
    ),
  };
}

function challengeIn(response: Answer<unknown>): Challenge | undefined {
  if (response.ok || response.code !== "signature_required") return undefined;
  const { typedData, expiresAt, reason } = response.details ?? {};
  // The API contract guarantees all three members with this error code.
  return { typedData: typedData as TypedDataPayload, expiresAt: String(expiresAt), reason: String(reason) };
}
