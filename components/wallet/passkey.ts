import { type CreateConnectorFn, createConnector } from "wagmi";

/** Smart accounts with a passkey as their key, by Coinbase. Requests open a window at keys.coinbase.com. */
export const PASSKEY_WALLET = "passkey";

type Inner = ReturnType<CreateConnectorFn>;

/** True if the operator offers the passkey wallet: app/layout.tsx sets the attribute. */
export const isPasskeyOffered = (): boolean =>
  typeof document !== "undefined" && document.documentElement.dataset.wallets === PASSKEY_WALLET;

/** The passkey wallet. Its code is larger than that of a page: loaded when a person chooses it or has chosen it before. */
export const passkeyWallet = (): CreateConnectorFn =>
  createConnector((config): Inner => {
    let loading: Promise<Inner> | undefined;
    const load = (): Promise<Inner> => {
      loading ??= import("./passkey-sdk").then(async ({ open }) => {
        const inner = open(config);
        // Creates the provider now: two concurrent first calls would create two, of which only one is connected.
        await inner.getProvider();
        return inner;
      });
      // After a failure, the next attempt loads again.
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
      // The method is generic: its type parameter cannot be passed on without the cast.
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
