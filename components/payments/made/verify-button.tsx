"use client";

import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Note } from "@/components/ui/note";
import { useOpenWallets } from "@/components/wallet/connection";
import type { Evidence } from "./evidence";
import type { Finding, Keys, Reader } from "./verify";

const RESULTS = {
  good: { tone: "good", word: "Verified" },
  bad: { tone: "bad", word: "Does not match" },
  unknown: { tone: "warn", word: "Not checked" },
} as const;

/** Verifies a payment's evidence in this browser, and lists what could not be checked. */
export function VerifyPayment({ evidence }: { evidence: Evidence }) {
  const openWallets = useOpenWallets();
  const [findings, setFindings] = useState<readonly Finding[]>();
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  async function run() {
    setBusy(true);
    setFailed(false);
    try {
      const reader: Reader = await (await openWallets()).connectedWallet();
      // The cryptography is loaded here only.
      const { verify } = await import("./verify");
      setFindings(await verify(evidence, reader, publishedKeys));
    } catch {
      setFailed(true);
    }
    setBusy(false);
  }

  const count = (result: Finding["result"]) => (findings ?? []).filter((finding) => finding.result === result).length;
  return (
    <Card title="Verify it yourself" className="grid gap-4 [&>header]:mb-0">
      <p className="measure text-small text-ink-2">
        Your browser checks the signatures, and reads the transaction through your wallet. It does not rely on what this
        page says.
      </p>
      <Button busy={isBusy} onClick={run} className="justify-self-start max-sm:w-full">
        Verify this payment
      </Button>
      {hasFailed && (
        <Note tone="bad" live="assertive">
          The check could not be loaded. Try again.
        </Note>
      )}
      <p role="status" className="text-control">
        {findings &&
          `${count("good")} verified, ${count("bad")} that ${count("bad") === 1 ? "does" : "do"} not match, ${count("unknown")} not checked.`}
      </p>
      {findings && (
        <ul aria-label="What was checked" className="grid divide-y">
          {findings.map(({ name, result, text }) => (
            <li key={name} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2.5 text-control">
              <span className="min-w-0 flex-[1_1_14rem]">
                <span className="font-medium">{name}</span>
                <span className="block text-small text-ink-2">{text}</span>
              </span>
              <Badge tone={RESULTS[result].tone}>{RESULTS[result].word}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const publishedKeys: Keys = async () => {
  const response = await fetch("/.well-known/jwks.json");
  const { keys } = (await response.json()) as { keys: Awaited<ReturnType<Keys>> };
  return keys;
};
