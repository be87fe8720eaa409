import { type Hex, hexToString, isHex, numberToHex, type TypedDataDefinition } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base, baseSepolia } from "viem/chains";
import { ownMember } from "@/lib/core/own";
import type { Eip1193 } from "./eip1193";

export const TEST_WALLET_RDNS = "dev.tessera.test-wallet";

/** A request that the person confirms or rejects. */
export type SigningRequest =
  | { kind: "message"; address: string; chainId: number; text: string }
  | { kind: "typed-data"; address: string; chainId: number; typedData: TypedDataJson };
export type TypedDataJson = {
  domain: Record<string, unknown>;
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
};

type Confirm = (request: SigningRequest) => Promise<boolean>;
type Listener = (...values: unknown[]) => void;
type Method = (params: readonly unknown[]) => unknown;
type Store = { key: Hex; chainId: number; isConnected: boolean };

/** A wallet for the devnet only: its key is generated in this browser and kept in its storage. `confirm` decides on each signature. */
export function createTestWallet(confirm: Confirm) {
  const store = openStore();
  const account = privateKeyToAccount(store.key);
  const listeners = new Map<string, Set<Listener>>();
  const emit = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value);
  };

  const accounts = () => (store.isConnected ? [account.address] : []);
  const permissions = () =>
    store.isConnected
      ? [{ parentCapability: "eth_accounts", caveats: [{ type: "restrictReturnedAccounts", value: accounts() }] }]
      : [];
  const connect = (isConnected: boolean) => {
    if (store.isConnected === isConnected) return;
    store.isConnected = isConnected;
    saveStore(store);
    emit("accountsChanged", accounts());
  };
  const moveTo = (chainId: number) => {
    if (!CHAIN_IDS.includes(chainId)) throw new WalletError(4902, "Unknown chain");
    if (store.chainId === chainId) return null;
    store.chainId = chainId;
    saveStore(store);
    emit("chainChanged", numberToHex(chainId));
    return null;
  };
  const agreed = async (request: SigningRequest) => {
    if (!(await confirm(request))) throw new WalletError(4001, "You rejected the request");
  };

  const methods: Record<string, Method> = {
    eth_requestAccounts: () => {
      connect(true);
      return accounts();
    },
    eth_accounts: accounts,
    eth_chainId: () => numberToHex(store.chainId),
    net_version: () => String(store.chainId),
    wallet_getPermissions: permissions,
    wallet_requestPermissions: () => {
      connect(true);
      return permissions();
    },
    wallet_revokePermissions: () => {
      connect(false);
      return null;
    },
    wallet_switchEthereumChain: (params) => moveTo(chainIdOf(params[0])),
    wallet_addEthereumChain: (params) => moveTo(chainIdOf(params[0])),
    personal_sign: async ([message, address]) => {
      mustBeOurs(account, store, address);
      const text = String(message);
      const raw = isHex(text) ? text : undefined;
      await agreed({
        kind: "message",
        address: account.address,
        chainId: store.chainId,
        text: raw === undefined ? text : hexToString(raw),
      });
      return account.signMessage({ message: raw === undefined ? text : { raw } });
    },
    eth_signTypedData_v4: async ([address, json]) => {
      mustBeOurs(account, store, address);
      const typedData = (typeof json === "string" ? JSON.parse(json) : json) as TypedDataJson;
      const { chainId } = typedData.domain;
      if (chainId !== undefined && Number(chainId) !== store.chainId)
        throw new WalletError(-32602, `This is for chain ${chainId}, and the wallet is on chain ${store.chainId}`);
      await agreed({ kind: "typed-data", address: account.address, chainId: store.chainId, typedData });
      // The types of an EIP-712 payload are known only at run time.
      return account.signTypedData(typedData as unknown as TypedDataDefinition);
    },
  };

  const provider = {
    request: async ({ method, params = [] }) => {
      const handler = ownMember(methods, method);
      if (!handler) throw new WalletError(4200, `The test wallet does not offer ${method}`);
      return handler(params);
    },
    on: (event: string, listener: Listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener: (event: string, listener: Listener) => {
      listeners.get(event)?.delete(listener);
    },
  } satisfies Eip1193 & Record<"on" | "removeListener", unknown>;

  return provider;
}

/** Announces the wallet by EIP-6963, now and on every later request. */
export function announceTestWallet(provider: ReturnType<typeof createTestWallet>): void {
  const detail = Object.freeze({
    info: Object.freeze({
      uuid: "6f0b7f3e-2a53-4f4e-9a0e-7e55e7a0d001",
      name: "Tessera test wallet",
      icon: ICON,
      rdns: TEST_WALLET_RDNS,
    }),
    provider,
  });
  const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}

/** An error as EIP-1193 defines it. */
class WalletError extends Error {
  override readonly name = "ProviderRpcError";

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function mustBeOurs(account: PrivateKeyAccount, store: Store, address: unknown) {
  if (!store.isConnected || String(address).toLowerCase() !== account.address.toLowerCase())
    throw new WalletError(4100, "The test wallet does not hold this account, or is not connected");
}

const chainIdOf = (parameter: unknown): number => Number((parameter as { chainId?: unknown } | undefined)?.chainId);

const CHAIN_IDS: readonly number[] = [base.id, baseSepolia.id];
const STORE_KEY = "tessera.test-wallet";

function openStore(): Store {
  const saved = readSaved();
  const store = {
    key: isHex(saved.key) && saved.key.length === 66 ? saved.key : generatePrivateKey(),
    chainId: CHAIN_IDS.find((id) => id === saved.chainId) ?? base.id,
    isConnected: saved.isConnected === true,
  };
  saveStore(store);
  return store;
}

function readSaved(): { [K in keyof Store]?: unknown } {
  try {
    return JSON.parse(localStorage.getItem(STORE_KEY) ?? "{}");
  } catch {
    return {};
  }
}

const saveStore = (store: Store) => localStorage.setItem(STORE_KEY, JSON.stringify(store));

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 32 32"><rect x="-6" y="-6" width="32" height="32" rx="7" fill="#fdf1d8"/><g fill="#8a5a00"><rect width="9" height="9" rx="2"/><rect x="11" width="9" height="9" rx="2" opacity=".45"/><rect y="11" width="9" height="9" rx="2" opacity=".45"/><rect x="11" y="11" width="9" height="9" rx="2" opacity=".25"/></g></svg>',
)}`;
