import { NETWORKS, type Network } from "../../../x402/src/networks.ts";
import { findRefusal } from "../../../x402/src/offers.ts";
import { type Fields, isRecord } from "../record.ts";
import type { NetworkKind } from "./networks.ts";
import { gateway } from "./rules.ts";

/**
 * How an option of the scheme `exact` is signed: for its token (`standard`), for Circle's Gateway, for another contract
 * or by a name that no token has (`foreign`), or without EIP-3009 (`allowance`). Clients of the standard pay only by the
 * first.
 */
export type Method = "standard" | "gateway" | "foreign" | "allowance";

export function methodOf(fields: Fields, kind: NetworkKind, network: Network | null): Method {
  if (!isRecord(fields.extra) || fields.scheme !== "exact") return "standard";
  const { assetTransferMethod = EIP3009, name, verifyingContract } = fields.extra;
  const isEvm = kind === "ours" || kind === "evm";
  if (isEvm && assetTransferMethod !== EIP3009) return "allowance";
  const isForToken = verifyingContract === undefined || isSame(verifyingContract, fields.asset);
  if (network === null) {
    const isForContract = isEvm && !isForToken && verifyingContract !== null;
    return isForContract && !isGateway(verifyingContract, network) ? "foreign" : "standard";
  }
  // A wrong name of a token is a slip.
  if (findRefusal(fields, network) !== "token_mismatch") return "standard";
  if (isForToken && !(typeof name === "string" && !TOKEN_NAMES.has(name))) return "standard";
  return name === gateway.name && isGateway(verifyingContract, network) ? "gateway" : "foreign";
}

const EIP3009 = "eip3009";
const TOKEN_NAMES: ReadonlySet<string> = new Set(Object.values(NETWORKS).map(({ tokenName }) => tokenName));

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === "string" && typeof b === "string" && a.toLowerCase() === b.toLowerCase();

/** Which of other networks are test networks is not known. */
const isGateway = (contract: unknown, network: Network | null): boolean =>
  (network?.isTestnet !== true && isSame(contract, gateway.contract)) ||
  (network?.isTestnet !== false && isSame(contract, gateway.testContract));
