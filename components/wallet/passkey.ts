import { type CreateConnectorFn, createConnector } from "wagmi";

/** Smart accounts whose key is a passkey, as Coinbase makes them. A page opens their window at keys.coinbase.com. */
export const PASSKEY_WALLET = "passkey";

type Inner = ReturnType<CreateConnectorFn>;

/** Whether the operator offers it: app/layout.tsx says so. */
export const isPasskeyOffered = (): boolean =>
  typeof document !== "undefined" && document.documentElement.dataset.wallets === PASSKEY_WALLET;

/** Its code, more than a page's own, is loaded once a person chooses it, or if they had chosen it before. */
export const passkeyWallet = (): CreateConnectorFn =>
  createConnector((config): Inner => {
    let loading: Promise<Inner> | undefined;
    const load = (): Promise<Inner> => {
      loading ??= import("./passkey-sdk").then(async ({ open }) => {
        const inner = open(config);
        // Asked twice at once for the first time, it would make two, of which one is connected and the other is asked.
        await inner.getProvider();
        return inner;
      });
      // Without a network, the next attempt loads it again.
      loading.catch(() => {
        loading = undefined;
      });
      return loading;
    };
    const wasChosen = async () =>
      loading !== undefined || (await config.storage?.getItem("recentConnectorId")) === PASSKEY_WALLET;
    return {
      id: PASSKEY_WALLET,
      name: "Passkey wallet",
      type: PASSKEY_WALLET,
      // Its type depends on a type parameter, which is passed on.
      connect: (async (parameters) => (await load()).connect(parameters)) as Inner["connect"],
      disconnect: async () => (await load()).disconnect(),
      getAccounts: async () => (await load()).getAccounts(),
      getChainId: async () => (await load()).getChainId(),
      getProvider: async () => ((await wasChosen()) ? (await load()).getProvider() : undefined),
      isAuthorized: async () => (await wasChosen()) && (await load()).isAuthorized(),
      switchChain: async (parameters) => {
        const inner = await load();
        if (!inner.switchChain) throw new Error("the wallet has no other chain");
        return inner.switchChain(parameters);
      },
      onAccountsChanged: (accounts) => void load().then((inner) => inner.onAccountsChanged(accounts)),
      onChainChanged: (chainId) => void load().then((inner) => inner.onChainChanged(chainId)),
      onDisconnect: (error) => void load().then((inner) => inner.onDisconnect(error)),
    };
  });
