import type { Rpc } from "@tessera/client/vault";

/** An EIP-1193 provider. */
type Provider = { request(call: { method: string; params?: readonly unknown[] }): Promise<unknown> };
export type Wallet = { name: string; provider: Provider };

type Announcement = CustomEvent<{ info: { uuid: string; name: string }; provider: Provider }>;

/** The browser's wallets, updated as they announce themselves (EIP-6963). */
export function watchWallets(onChange: (wallets: readonly Wallet[]) => void): void {
  const found = new Map<string, Wallet>();
  const wallets = () => {
    const legacy = (window as { ethereum?: Provider }).ethereum;
    return found.size === 0 && legacy ? [{ name: "the browser's wallet", provider: legacy }] : [...found.values()];
  };
  window.addEventListener("eip6963:announceProvider", (event) => {
    const { info, provider } = (event as Announcement).detail;
    found.set(info.uuid, { name: info.name, provider });
    onChange(wallets());
  });
  window.dispatchEvent(new Event("eip6963:requestProvider"));
  onChange(wallets());
}

export const rpcOf =
  ({ provider }: Wallet): Rpc =>
  (method, params) =>
    provider.request({ method, params });

/** A wallet's error with its own message. Code 4001: the user rejected the request (EIP-1193). */
export function faultOf(thrown: unknown): { isRejected: boolean; message: string } {
  const { code, message } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as Record<string, unknown>;
  return { isRejected: code === 4001, message: typeof message === "string" ? message : String(thrown) };
}

export async function accountOf(rpc: Rpc): Promise<string> {
  const accounts = await rpc("eth_requestAccounts", []);
  const [first] = Array.isArray(accounts) ? accounts : [];
  if (typeof first !== "string") throw new Error("The wallet shared no account");
  return first.toLowerCase();
}

const POLL_MS = 2_000;

export type Receipt = { status: string; logs: { address: string; topics: string[]; data: string }[] };

/** Polls until the transaction is in a block. */
export async function mined(rpc: Rpc, hash: unknown): Promise<Receipt> {
  for (;;) {
    const receipt = (await rpc("eth_getTransactionReceipt", [hash])) as Receipt | null;
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
