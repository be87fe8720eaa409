"use client";

import { Button } from "@/components/ui/button";
import { saveFile } from "@/components/ui/save-file";
import type { VaultFile } from "@/lib/vaults/file";

/** Downloads the vault's terms, with which the owner can withdraw without this service. */
export const SaveVaultFile = ({ file }: { file: VaultFile }) => (
  <div className="grid justify-items-start gap-2">
    <Button
      onClick={() =>
        saveFile(
          `vault-${file.address}.json`,
          new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: "application/json" }),
        )
      }
    >
      Download the vault’s file
    </Button>
    <p className="measure text-small text-ink-2">
      Keep it: open it in{" "}
      <a href="/vault-exit.html" className="underline underline-offset-4">
        Leave a vault
      </a>
      , a page that you can save too, and your wallet takes the money out without us.
    </p>
  </div>
);
