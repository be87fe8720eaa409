import { getTypesForEIP712Domain } from "viem";
import { disconnect, getConnection, reconnect, watchConnection } from "wagmi/actions";
import type { WalletTexts } from "@/components/texts/en/wallet";
import { fill } from "@/components/texts/template";
import { shorten } from "@/components/ui/shorten";
import { walletConfig } from "./config";
import { chainName, type Eip1193, ensureChain, explain, isRejection, providerOf } from "./eip1193";
import type { TypedDataPayload, TypedDataRequest, TypedDataResult } from "./typed-data";
import { isOfUndeployed } from "./undeployed";
import { orEnglish, type WalletWords } from "./words";

/** A locked wallet may never respond to the reconnection. */
const RESTORE_MS = 1_500;

/** Connects again to the wallet of an earlier visit, and reports the account from then on. */
export async function restore(report: (account: string | undefined) => void): Promise<void> {
  const config = walletConfig();
  const tell = () => {
    const { address, isConnected } = getConnection(config);
    report(isConnected ? address : undefined);
  };
  watchConnection(config, { onChange: tell });
  const silence = new Promise((resolve) => setTimeout(resolve, RESTORE_MS));
  await Promise.race([reconnect(config), silence]);
  tell();
}

export async function connectedWallet(): Promise<Eip1193 | null> {
  const { connector } = getConnection(walletConfig());
  return connector ? providerOf(connector) : null;
}

export const disconnectWallet = (): Promise<void> => disconnect(walletConfig());

/** Signs a server's payload unchanged, with the required account on the required chain. Never throws. */
export async function signTypedData(
  request: TypedDataRequest,
  translation: WalletWords | null,
): Promise<TypedDataResult> {
  const { texts } = orEnglish(translation);
  try {
    const wallet = await connectedWallet();
    return wallet ? await sign(wallet, request, texts) : failed(texts.connectFirst);
  } catch (error) {
    return isRejection(error) ? { type: "rejected" } : failed(explain(error, texts));
  }
}

async function sign(
  wallet: Eip1193,
  { owner, chainId, typedData, signal, takesUndeployed = false }: TypedDataRequest,
  texts: WalletTexts,
): Promise<TypedDataResult> {
  // Read from the wallet, not from our copy of its state: accounts change while a page is open.
  const accounts = (await wallet.request({ method: "eth_accounts" })) as readonly string[];
  if (!accounts.some((account) => account.toLowerCase() === owner.toLowerCase())) {
    return failed(fill(texts.otherAccount, { address: shorten(owner) }));
  }
  if (!(await ensureChain(wallet, chainId)))
    return failed(fill(texts.switchFirst, { network: chainName(chainId, texts) }));
  if (signal?.aborted) return { type: "rejected" };
  const signature = await wallet.request({
    method: "eth_signTypedData_v4",
    params: [
      owner,
      JSON.stringify(withDomainType(typedData), (_, value) => (typeof value === "bigint" ? value.toString() : value)),
    ],
  });
  if (!takesUndeployed && isOfUndeployed(signature)) return failed(texts.undeployed);
  return isHex(signature) ? { type: "signed", signature } : failed(texts.noSignature);
}

/** Wallets refuse a payload without the EIP712Domain type; adding it does not change the digest. */
const withDomainType = (typedData: TypedDataPayload) => ({
  ...typedData,
  types: {
    EIP712Domain: getTypesForEIP712Domain({
      domain: typedData.domain as Parameters<typeof getTypesForEIP712Domain>[0]["domain"],
    }),
    ...typedData.types,
  },
});

const isHex = (value: unknown): value is `0x${string}` => typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value);

const failed = (reason: string): TypedDataResult => ({ type: "failed", reason });
