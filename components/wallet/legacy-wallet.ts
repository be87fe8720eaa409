import { type Connector, type CreateConnectorFn, createConnector, injected, useConnectors } from "wagmi";

export const LEGACY_WALLET = "injected";

const announced = new WeakSet<object>();

const legacyProvider = (): object | undefined =>
  typeof window === "undefined" ? undefined : (window as { ethereum?: object }).ethereum;

/** Whether this browser has a `window.ethereum` that no wallet announced as its own by EIP-6963. */
function isOffered(): boolean {
  const provider = legacyProvider();
  return typeof provider === "object" && provider !== null && !announced.has(provider);
}

/** A wallet that is only known as `window.ethereum`. Made before wagmi asks for announcements, to hear them too. */
export function legacyWallet(): CreateConnectorFn {
  if (typeof window !== "undefined") window.addEventListener("eip6963:announceProvider", remember);
  const make = injected();
  return createConnector((config) => {
    const inner = make(config);
    return {
      ...inner,
      name: "Browser wallet",
      // Not reconnected in the place of the same wallet under its own name.
      isAuthorized: async () => isOffered() && inner.isAuthorized(),
    };
  });
}

function remember(event: Event) {
  const { provider } = (event as CustomEvent<{ provider?: object }>).detail;
  if (typeof provider === "object" && provider !== null) announced.add(provider);
}

/** The wallets to choose from. The list is new with each announcement. */
export const useWallets = (): readonly Connector[] =>
  useConnectors().filter(({ id }) => id !== LEGACY_WALLET || isOffered());
