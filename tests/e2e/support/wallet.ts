import type { Page } from "@playwright/test";
import type { Hex, LocalAccount, TypedDataDefinition } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

export type InjectedWallet = {
  account: LocalAccount;
  /** Every method the page has called. */
  calls: string[];
};

/** How the page can find it: by EIP-6963, as `window.ethereum`, or both ways as the same provider. */
type KnownBy = "announcement" | "global" | "both";

/** A wallet extension of the browser, on `chainId`. The extension signs outside of the page, as real ones do. */
export async function injectWallet(
  page: Page,
  {
    chainId = 8453,
    knownBy = "announcement",
    before,
  }: {
    chainId?: number;
    knownBy?: KnownBy;
    /** Delays the answer to a call, for example for ever. */
    before?: (method: string) => Promise<void>;
  } = {},
): Promise<InjectedWallet> {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet: InjectedWallet = { account, calls: [] };
  await page.exposeFunction("askExtension", async (method: string, params: string) => {
    wallet.calls.push(method);
    await before?.(method);
    if (method === "personal_sign") {
      const [raw] = JSON.parse(params) as [Hex];
      return account.signMessage({ message: { raw } });
    }
    if (method !== "eth_signTypedData_v4") return null;
    const [, typedData] = JSON.parse(params) as [string, string];
    // The page's own JSON: whatever it wants signed is signed, as a wallet would.
    return account.signTypedData(JSON.parse(typedData) as TypedDataDefinition);
  });
  await page.addInitScript(inject, { address: account.address, chainId, knownBy });
  return wallet;
}

/** Runs in the page. */
function inject({ address, chainId: first, knownBy }: { address: string; chainId: number; knownBy: KnownBy }) {
  type Listener = (value: unknown) => void;
  type Asking = { askExtension: (method: string, params: string) => Promise<string | null> };
  let chainId = first;
  let isConnected = false;
  const listeners: [string, Listener][] = [];
  const fail = (code: number, message: string) => Object.assign(new Error(message), { code });
  const provider = {
    on: (event: string, listener: Listener) => void listeners.push([event, listener]),
    removeListener: () => undefined,
    request: async ({ method, params }: { method: string; params?: unknown[] }) => {
      const response = await (window as unknown as Asking).askExtension(method, JSON.stringify(params ?? []));
      switch (method) {
        case "eth_requestAccounts":
          isConnected = true;
          return [address];
        case "eth_accounts":
          return isConnected ? [address] : [];
        case "wallet_requestPermissions":
          isConnected = true;
          return [{ parentCapability: "eth_accounts", caveats: [{ value: [address] }] }];
        case "eth_chainId":
          return `0x${chainId.toString(16)}`;
        case "wallet_switchEthereumChain": {
          const [{ chainId: hex }] = params as [{ chainId: string }];
          chainId = Number(hex);
          for (const [event, listener] of listeners) if (event === "chainChanged") listener(hex);
          return null;
        }
        case "personal_sign":
        case "eth_signTypedData_v4":
          return response;
        default:
          throw fail(4200, `${method} is not offered`);
      }
    },
  };
  if (knownBy !== "announcement") (window as { ethereum?: unknown }).ethereum = provider;
  if (knownBy === "global") return;
  const info = {
    uuid: "0b8f2c1e-4d64-4f0c-9b7a-5a1f0c6d7e21",
    name: "Fox",
    icon: "data:image/png;base64,",
    rdns: "org.fox",
  };
  const announce = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}
