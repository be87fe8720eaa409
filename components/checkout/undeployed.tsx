"use client";

import { useQuery } from "@tanstack/react-query";
import { useConnection } from "wagmi";
import { usePayment } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { Note } from "@/components/ui/note";
import { PASSKEY_WALLET } from "@/components/wallet/passkey";
import { callApi } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";

const AGAIN_MS = 5_000;

/** True if the connected account is a smart account that is not deployed on the network yet. Polls until it is. */
export function useUndeployed(network: NetworkName, address: string): boolean {
  const isSmart = useConnection().connector?.id === PASSKEY_WALLET;
  const query = useQuery({
    queryKey: ["code", network, address],
    queryFn: () => readHasCode(network, address),
    enabled: isSmart,
    refetchInterval: ({ state }) => (state.data === false ? AGAIN_MS : false),
    retry: false,
  });
  return isSmart && query.data === false;
}

/** Null while it is not known. */
async function readHasCode(network: NetworkName, address: string): Promise<boolean | null> {
  const path = `/api/networks/${network}/balances/${address}?code=true` as const;
  const response = await callApi<{ hasCode?: boolean | null }>("GET", path);
  return response.ok ? (response.data.hasCode ?? null) : null;
}

export function UndeployedNote({ networkLabel }: { networkLabel: string }) {
  const { panel } = usePayment().texts;
  return (
    <Note tone="warn" live="polite" title={fill(panel.undeployedTitle, { network: networkLabel })}>
      {panel.undeployedText}
    </Note>
  );
}
