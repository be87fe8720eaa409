"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { NOT_SIGNED, useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Failure } from "@/lib/http/client";
import { isUnknown } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";

export type RecoverButtonProps = {
  network: NetworkName;
  /** Null for ETH. */
  token: string | null;
  /** What is sent, for screen readers: "0.02 ETH". */
  sum: string;
  /** What is there, beside the button. */
  children: ReactNode;
};

/** Sends all of it to the owner's own address, after one signature. */
export function RecoverButton({ network, token, sum, children }: RecoverButtonProps) {
  const router = useRouter();
  const { post, dialog } = useConfirmed();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  async function send() {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const response = await post("/api/wallet/recoveries", { network, token });
    setBusy(false);
    if (!response.ok) setFailure(response);
    // The page shows what is under way, also when the response was lost.
    router.refresh();
  }

  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {children}
        <Button
          busy={isBusy}
          onClick={() => void send()}
          aria-label={`Send ${sum} to my own address`}
          className="max-sm:w-full"
        >
          Send to my own address
        </Button>
      </div>
      {failure && <Refusal failure={failure} />}
      {dialog}
    </div>
  );
}

function Refusal({ failure }: { failure: Failure }) {
  if (isUnknown(failure))
    return (
      <Note tone="warn" live="assertive" title="We do not know yet">
        We had no clear answer. This page shows it here if it was sent.
      </Note>
    );
  const missing = failure.details?.weiMissing;
  return (
    <Note
      tone={failure.code === NOT_SIGNED ? "warn" : "bad"}
      live="assertive"
      title={failure.code === NOT_SIGNED ? "You did not sign" : "Nothing was sent"}
    >
      {typeof missing === "string" ? `Send ${etherText(missing)} ETH to this wallet for gas first.` : wordsFor(failure)}
    </Note>
  );
}

/** Rounded up to five digits, so that the sum is enough. */
function etherText(wei: string): string {
  const step = 10n ** 13n;
  const steps = (BigInt(wei) + step - 1n) / step;
  return (Number(steps) / 100_000).toFixed(5);
}

const WORDS: Readonly<Record<string, string>> = {
  [NOT_SIGNED]: "Nothing moved.",
  token_refuses: "The token refuses the transfer. We asked it without sending anything.",
  nothing_to_recover: "There is nothing left of it here that could be sent.",
  address_refuses: "Your address is a contract that takes no ETH.",
  recovery_under_way: "Something is on its way from this wallet. Wait until it has arrived.",
};

const wordsFor = ({ code, message }: Failure): string => WORDS[code] ?? message;
