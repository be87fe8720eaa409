import { bytesToHex, type Hex, sha256, stringToBytes } from "viem";
import type { TypedDataRequest, TypedDataResult } from "@/components/wallet/typed-data";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/usdc";
import { type Authorization, authorizationTypedData, toWireAuthorization } from "@/lib/x402/authorization";
import { NETWORKS } from "@/lib/x402/networks";
import type { Kept } from "./memory";
import type { Payable } from "./paying";

export type SignedPayment = { type: "signed"; kept: Kept; nonce: Hex };
export type Signed = SignedPayment | Exclude<TypedDataResult, { type: "signed" }> | Changed | Unreached;
/** The server's requirement differs from what the page shows. */
export type Changed = { type: "changed" };
/** The server could not be reached, so the wallet was not asked to sign. */
export type Unreached = { type: "unreached" };

/** Long enough to sign in a wallet, short enough that an unused proof soon expires. */
const VALID_SECONDS = 300;
/** Allows for clocks and chains that differ by seconds. */
const BACKDATED_SECONDS = 600;

/**
 * Signs a new proof of payment as `payer`. Never throws. Once `signal` is aborted, the wallet is asked for nothing; a request that it has
 * already can still be signed.
 */
export async function signPayment(
  view: Payable,
  payer: string,
  sign: (request: TypedDataRequest) => Promise<TypedDataResult>,
  signal: AbortSignal,
): Promise<Signed> {
  const current = await readRequirement(view);
  if (current.type !== "unchanged") return current;
  if (signal.aborted) return { type: "rejected" };
  const secret = bytesToHex(crypto.getRandomValues(new Uint8Array(32))).slice(2);
  const authorization: Authorization = {
    from: toAddress(payer),
    to: view.payee.address,
    value: toUsdc(BigInt(view.amount)),
    validAfter: current.now - BigInt(BACKDATED_SECONDS),
    validBefore: current.now + BigInt(VALID_SECONDS),
    // The nonce is a hash. The holder of its preimage proves to be the buyer, even if our response was lost.
    nonce: sha256(stringToBytes(secret)),
  };
  const typedData = authorizationTypedData(view.network, authorization);
  const { chainId } = NETWORKS[view.network];
  const result = await sign({ owner: payer, chainId, typedData, signal, takesUndeployed: true });
  if (result.type !== "signed") return result;
  const payment = {
    x402Version: 1,
    scheme: "exact",
    network: view.network,
    payload: { signature: result.signature, authorization: toWireAuthorization(authorization) },
  };
  const { linkId, query } = view;
  const amount = authorization.value.toString();
  const header = btoa(JSON.stringify(payment));
  const { nonce } = authorization;
  return { type: "signed", nonce, kept: { linkId, payer, header, secret, signedAt: Date.now(), query, amount } };
}

/** The server's time, if its requirement still matches the page. */
async function readRequirement(view: Payable): Promise<{ type: "unchanged"; now: bigint } | Changed | Unreached> {
  try {
    const response = await fetch(`/paymentlink/${view.linkId}${view.query}`, {
      cache: "no-store",
      credentials: "omit",
      headers: { Accept: "application/json" },
    });
    if (response.status === 404 || response.status === 409 || response.status === 410) return { type: "changed" };
    if (response.status !== 402) return UNREACHED;
    // Our own 402: the interop tests check it against the x402 schemas.
    const { accepts }: { accepts: { maxAmountRequired: string; network: string; payTo: string; asset: string }[] } =
      await response.json();
    const [offer] = accepts;
    const isShown =
      offer?.maxAmountRequired === view.amount &&
      offer.network === view.network &&
      offer.payTo === view.payee.address &&
      offer.asset === NETWORKS[view.network].usdc;
    if (!isShown) return { type: "changed" };
    // The payer's clock may be wrong; the server's clock decides on the proof.
    const date = Date.parse(response.headers.get("date") ?? "");
    return { type: "unchanged", now: BigInt(Math.floor((Number.isNaN(date) ? Date.now() : date) / 1000)) };
  } catch {
    return UNREACHED;
  }
}

const UNREACHED: Unreached = { type: "unreached" };
