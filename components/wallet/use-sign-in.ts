"use client";

import { signIn as openSession } from "next-auth/react";
import { useCallback } from "react";
import { getAddress, stringToHex } from "viem";
import { base } from "viem/chains";
import { createSiweMessage } from "viem/siwe";
import { useConfig } from "wagmi";
import { getConnection } from "wagmi/actions";
import type { WalletTexts } from "@/components/texts/en/wallet";
import { CHAINS, type Eip1193, explain, isRejection, providerOf, readChainId } from "./eip1193";
import { isOfUndeployed } from "./undeployed";
import { useWalletWords } from "./words";

export type SignInResult =
  | { type: "done"; address: string }
  | { type: "rejected" }
  | { type: "failed"; reason: string };

/** Signs in with the connected wallet. Never throws: rejections and failures are results. */
export function useSignIn(): () => Promise<SignInResult> {
  const config = useConfig();
  const { texts } = useWalletWords();
  return useCallback(async () => {
    const { address, connector } = getConnection(config);
    if (!address || !connector) return { type: "failed", reason: "Connect a wallet first." };
    const proof = await signProof(await providerOf(connector), getAddress(address), texts);
    if (proof.type !== "signed") return proof;
    const response = await openSession("siwe", { ...proof.fields, redirect: false }).catch(() => undefined);
    return response?.ok
      ? { type: "done", address }
      : { type: "failed", reason: "Sign-in did not go through. Nothing was spent. Try again." };
  }, [config, texts]);
}

type Proof =
  | { type: "signed"; fields: { message: string; signature: string } }
  | Exclude<SignInResult, { type: "done" }>;

async function signProof(wallet: Eip1193, address: `0x${string}`, texts: WalletTexts): Promise<Proof> {
  const nonce = await fetchNonce();
  if (nonce === undefined) return { type: "failed", reason: "We could not be reached. Try again in a moment." };
  try {
    const message = writeMessage(address, await readChainId(wallet), nonce);
    const signature = await wallet.request({ method: "personal_sign", params: [stringToHex(message), address] });
    if (isOfUndeployed(signature)) return { type: "failed", reason: texts.undeployed };
    return { type: "signed", fields: { message, signature: String(signature) } };
  } catch (error) {
    return isRejection(error) ? { type: "rejected" } : { type: "failed", reason: explain(error, texts) };
  }
}

async function fetchNonce(): Promise<string | undefined> {
  try {
    const response = await fetch("/api/siwe/nonce", { cache: "no-store" });
    if (!response.ok) return undefined;
    const body: { nonce?: unknown } = await response.json();
    return typeof body.nonce === "string" ? body.nonce : undefined;
  } catch {
    return undefined;
  }
}

function writeMessage(address: `0x${string}`, walletChainId: number, nonce: string): string {
  const issuedAt = new Date();
  return createSiweMessage({
    domain: window.location.host,
    uri: window.location.origin,
    address,
    // A wallet on another chain can sign in too: a session identifies an account, not a chain.
    chainId: CHAINS.some(({ id }) => id === walletChainId) ? walletChainId : base.id,
    version: "1",
    statement: "Sign in to Tessera.",
    nonce,
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + 10 * 60_000),
  });
}
