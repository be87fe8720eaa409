import { custom } from "viem";
import { base, baseSepolia } from "viem/chains";
import { createConfig, createStorage } from "wagmi";
import { legacyWallet } from "./legacy-wallet";
import { isPasskeyOffered, passkeyWallet } from "./passkey";

/**
 * Wallets found by EIP-6963, a plain `window.ethereum`, and the passkey wallet if offered. Pages read chains through our API, so the
 * transport refuses all requests.
 */
const createWalletConfig = () =>
  createConfig({
    chains: [base, baseSepolia],
    connectors: isPasskeyOffered() ? [legacyWallet(), passkeyWallet()] : [legacyWallet()],
    multiInjectedProviderDiscovery: true,
    transports: { [base.id]: refuse(), [baseSepolia.id]: refuse() },
    storage: createStorage({
      key: "tessera.wallet",
      storage: window.localStorage,
    }),
  });

const refuse = () =>
  custom({ request: () => Promise.reject(new Error("the page makes no chain calls")) }, { retryCount: 0 });

let config: ReturnType<typeof createWalletConfig> | undefined;

/** A singleton. Browsers only. */
export function walletConfig(): ReturnType<typeof createWalletConfig> {
  config ??= createWalletConfig();
  return config;
}
