import { type Connector, type CreateConnectorFn, createConnector, injected, useConnectors } from "wagmi";

export const LEGACY_WALLET = "injected";

const announced = new WeakSet<object>();

const legacyProvider = (): object | undefined =>
  typeof window === "undefined" ? undefined : (window as { ethereum?: object }).ethereum;

/** True if `window.ethereum` exists and was not announced by EIP-6963. */
function isOffered(): boolean {
  const provider = legacyProvider();
  return typeof provider === "object" && provider !== null && !announced.has(provider);
}

/** A wallet known only as `window.ethereum`. Create it before wagmi requests announcements: it must receive them too. */
export function legacyWallet(): CreateConnectorFn {
  if (typeof window !== "undefined") window.addEventListener("eip6963:announceProvider", remember);
  const make = injected();
  return createConnector((config) => {
    const inner = make(config);
    return {
      ...inner,
      name: "Browser wallet",
      // Prevents a reconnection in place of the same wallet's announced connector.
      isAuthorized: async () => isOffered() && inner.isAuthorized(),
    };
  });
}

function remember(event: Event) {
  const { provider } = (event as CustomEvent<{ provider?: object }>).detail;
  if (typeof provider === "object" && provider !== null) announced.add(provider);
}

/** The available wallets. wagmi updates the list on each announcement. */
export const useWallets = (): readonly Connector[] =>
  useConnectors().filter(({ id }) => id !== LEGACY_WALLET || isOffered());
