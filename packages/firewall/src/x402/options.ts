import { NETWORKS, type Network, networkNamed } from "../../../x402/src/networks.ts";
import { findRefusal } from "../../../x402/src/offers.ts";
import {
  checksummed,
  isAddress,
  isBurn,
  isLookalike,
  isReserved,
  isTokenContract,
  named,
  ZERO,
} from "../chain/accounts.ts";
import { type Fields, isRecord } from "../record.ts";
import { statesPurpose } from "./description.ts";
import type { X402Rule } from "./rules.ts";
import { hostOf, type Resource, readResource } from "./url.ts";

export type Find = (rule: X402Rule, field: string) => void;

/**
 * The kind of an option's network: Base or Base Sepolia (`ours`), service credits, another EVM chain, or another
 * system.
 */
export type NetworkKind = "ours" | "credits" | "evm" | "other" | "unknown";

/** An entry of `accepts`, as far as it can be read. Addresses are lower case. */
export type Option = {
  index: number;
  field: string;
  fields: Fields;
  networkText: string;
  network: Network | null;
  kind: NetworkKind;
  /** Where the amount, the resource and its description are stated, or belong. */
  places: { amount: string; resource: string; description: string };
  amount: bigint | null;
  payTo: string | null;
  asset: string | null;
  resourceText: unknown;
  resource: Resource;
  timeout: number | null;
  description: unknown;
  mimeType: unknown;
  /** Signed for a contract other than the token: a standard client cannot pay it. */
  isBatched: boolean;
};

/** What a body states once for all options: in version 2 it comes first, in version 1 it is a way out. */
export type Shared = { isVersion2: boolean; resource: unknown; description: unknown; mimeType: unknown };

const UINT256_MAX = 2n ** 256n - 1n;
/** A trillion USDC. */
const AMOUNT_ABSURD = 10n ** 18n;
const TIMEOUT_LONG = 3600;
const WELL_KNOWN = named([]);

export function readOption(fields: Fields, index: number, shared: Shared): Option {
  const networkText = typeof fields.network === "string" ? fields.network : "";
  const network = networkNamed(networkText);
  const { isVersion2 } = shared;
  const resourceText = isVersion2 ? (shared.resource ?? fields.resource) : (fields.resource ?? shared.resource);
  const field = `accepts[${index}]`;
  const hasAmount = fields.amount !== undefined && (isVersion2 || fields.maxAmountRequired === undefined);
  return {
    index,
    field,
    fields,
    networkText,
    network,
    kind: kindOf(networkText),
    places: isVersion2
      ? { amount: `${field}.amount`, resource: "resource.url", description: "resource.description" }
      : {
          amount: `${field}.${hasAmount ? "amount" : "maxAmountRequired"}`,
          resource: `${field}.resource`,
          description: `${field}.description`,
        },
    amount: readAtomic(hasAmount ? fields.amount : fields.maxAmountRequired),
    payTo: lowerAddress(fields.payTo),
    asset: lowerAddress(fields.asset),
    resourceText,
    resource: readResource(resourceText),
    timeout: readTimeout(fields.maxTimeoutSeconds),
    description: isVersion2 ? (shared.description ?? fields.description) : (fields.description ?? shared.description),
    mimeType: fields.mimeType ?? shared.mimeType,
    isBatched: network !== null && isBatched(fields, network),
  };
}

/** A wrong name of a token is a slip. Another contract, or a name that no token has, is another way to pay. */
function isBatched(fields: Fields, network: Network): boolean {
  if (findRefusal(fields, network) !== "token_mismatch" || !isRecord(fields.extra)) return false;
  const { name, verifyingContract } = fields.extra;
  const isOfToken = isAddress(verifyingContract) && verifyingContract.toLowerCase() === network.usdc.toLowerCase();
  return (verifyingContract !== undefined && !isOfToken) || (typeof name === "string" && !TOKEN_NAMES.has(name));
}

const TOKEN_NAMES: ReadonlySet<string> = new Set(Object.values(NETWORKS).map(({ tokenName }) => tokenName));

/** A positive integer in ASCII digits without leading zeros that fits uint256. */
export function readAtomic(value: unknown): bigint | null {
  if (typeof value !== "string" || !/^[1-9][0-9]{0,77}$/.test(value)) return null;
  const amount = BigInt(value);
  return amount <= UINT256_MAX ? amount : null;
}

export function inspectOption(option: Option, find: Find): void {
  const { field, places, resource, isBatched } = option;
  inspectAmount(option, find);
  inspectRecipient(option, find);
  inspectAsset(option, find);
  for (const fault of resource.faults) find(fault, places.resource);
  if (option.timeout === null) find("timeoutInvalid", `${field}.maxTimeoutSeconds`);
  // What is settled in batches is valid for days by design.
  else if (option.timeout > TIMEOUT_LONG && !isBatched) find("timeoutLong", `${field}.maxTimeoutSeconds`);
  if (!statesPurpose(option.description, option.resourceText, resource)) find("purposeUnstated", places.description);
}

/** Findings that need all options together. */
export function inspectTogether(options: readonly Option[], find: Find): void {
  if (options.length === 0) return;
  inspectSchemes(options, find);
  inspectNetworks(options, find);
  const payable = options.filter((option) => option.kind !== "credits");
  inspectGroups(payable, tokenKey, payToKey, "destinationsConflict", "payTo", find);
  inspectGroups(
    payable,
    offerKey,
    (o) => o.amount?.toString() ?? textOf(o.fields.maxAmountRequired ?? o.fields.amount),
    "amountsDiffer",
    "",
    find,
  );
  const onEvm = payable.filter((option) => option.kind !== "other" && option.payTo !== null);
  const [first] = onEvm;
  for (const option of onEvm) {
    const isElsewhere = first !== undefined && tokenKey(option) !== tokenKey(first);
    if (isElsewhere && payToKey(option) !== payToKey(first)) find("destinationsVary", `${option.field}.payTo`);
  }
  const located = payable.filter((option) => option.resource.url !== null);
  inspectGroups(
    located,
    () => "",
    (o) => (o.resource.url ? hostOf(o.resource.url) : ""),
    "resourcesVary",
    "resource",
    find,
  );
}

/** A placeholder for a recipient or an asset, as in documentation. */
export const isPlaceholder = (value: unknown): boolean =>
  typeof value === "string" &&
  value.length <= 64 &&
  /^(?:0x(?:\.{2,}|…|[A-Za-z_]*(?:address|wallet|recipient|receiver|merchant|seller|payto)[A-Za-z0-9_]*)|<[^<>]*>|\$?\{[^{}]*\}|YOUR_[A-Z0-9_]+)$/i.test(
    value,
  );

function inspectAmount({ amount, kind, field, fields, places }: Option, find: Find): void {
  const isTwofold = fields.maxAmountRequired !== undefined && fields.amount !== undefined;
  // Version 1 calls it `maxAmountRequired`, version 2 `amount`.
  if (isTwofold && fields.amount !== fields.maxAmountRequired) find("amountsDisagree", `${field}.amount`);
  if (amount === null) find("amountInvalid", places.amount);
  else if (kind === "ours" && amount >= AMOUNT_ABSURD) find("amountAbsurd", places.amount);
  else if (fields.amount === undefined && places.amount.endsWith(".amount")) find("amountMisnamed", places.amount);
}

function inspectRecipient({ payTo, kind, fields, field, asset }: Option, find: Find): void {
  const payToField = `${field}.payTo`;
  if (payTo === null) {
    const isNamed = kind === "other" || kind === "credits";
    if (isNamed && typeof fields.payTo === "string" && /^[^\s]{1,128}$/.test(fields.payTo)) return;
    find(isPlaceholder(fields.payTo) ? "recipientPlaceholder" : "recipientInvalid", payToField);
    return;
  }
  if (!isWellSpelled(textOf(fields.payTo))) find("recipientChecksum", payToField);
  if (payTo === ZERO || isBurn(payTo) || isReserved(payTo)) find("recipientLost", payToField);
  else if (payTo === asset || isTokenContract(payTo)) find("recipientToken", payToField);
  else if (isLookalike(payTo, WELL_KNOWN)) find("recipientLookalike", payToField);
}

function inspectAsset({ asset, network, fields, field }: Option, find: Find): void {
  if (network === null || asset === network.usdc.toLowerCase()) return;
  const isSymbol = typeof fields.asset === "string" && /^[A-Za-z]{2,6}$/.test(fields.asset);
  find(isSymbol || isPlaceholder(fields.asset) ? "assetPlaceholder" : "assetNonStandard", `${field}.asset`);
}

function inspectSchemes(options: readonly Option[], find: Find): void {
  const inexactOptions = options.filter((option) => option.fields.scheme !== "exact");
  const rule = inexactOptions.length === options.length ? "schemeNone" : "schemeSome";
  for (const option of inexactOptions) find(rule, `${option.field}.scheme`);
  const batchedRule = options.some(isStandard) ? "batchedSome" : "batchedAll";
  for (const option of options) if (option.isBatched) find(batchedRule, `${option.field}.extra`);
}

/** Whether a client can pay by it that knows only the scheme `exact`. */
export const isStandard = ({ fields, isBatched }: Option): boolean => fields.scheme === "exact" && !isBatched;

function inspectNetworks(options: readonly Option[], find: Find): void {
  const isPayable = options.some((option) => option.kind === "ours" || option.kind === "credits");
  if (!isPayable) for (const option of options) find("networkUnknown", `${option.field}.network`);
  const garbled = isPayable ? options.filter((option) => option.kind === "unknown") : [];
  for (const option of garbled) find("networksMixed", `${option.field}.network`);
  const ours = new Set(options.flatMap(({ network }) => (network ? [network.name] : [])));
  if (ours.size > 1) find("networksMixed", "accepts");
}

/** Options with the same `key` must agree in `aspect`. */
function inspectGroups(
  options: readonly Option[],
  key: (option: Option) => string,
  aspect: (option: Option) => string,
  rule: X402Rule,
  member: string,
  find: Find,
): void {
  const first = new Map<string, string>();
  for (const option of options) {
    const group = key(option);
    const firstAspect = first.get(group);
    if (firstAspect === undefined) first.set(group, aspect(option));
    else if (firstAspect !== aspect(option)) find(rule, member === "" ? option.field : `${option.field}.${member}`);
  }
}

const networkKey = ({ network, networkText }: Option) => network?.name ?? networkText;
const assetKey = ({ asset, fields }: Option) => asset ?? textOf(fields.asset);
const payToKey = ({ payTo, fields }: Option) => payTo ?? textOf(fields.payTo);
const tokenKey = (o: Option) => `${networkKey(o)} ${assetKey(o)}`;
/** Ignores a slash at the end of the path, the case of the host, and the query: these variants are one resource. */
const resourceKey = ({ resource: { url }, resourceText }: Option) =>
  url === null ? textOf(resourceText) : `${url.origin}${url.pathname.replace(/\/$/, "")}`;
/** The recipient is left out: the same offer must have one price for all recipients. */
const offerKey = (o: Option) => [tokenKey(o), textOf(o.fields.scheme), resourceKey(o)].join(" ");

/** Not String(): on an object it would recurse into, or call, what the body's author wrote. */
const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? `${value}` : "");

const lowerAddress = (value: unknown): string | null => (isAddress(value) ? value.toLowerCase() : null);

/** Whether the address is in one letter case or checksummed. */
function isWellSpelled(address: string): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksummed(address) === address;
}

function readTimeout(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function kindOf(network: string): NetworkKind {
  if (networkNamed(network)) return "ours";
  if (network === CREDITS) return "credits";
  if (network.startsWith("eip155:") || EVM_NETWORKS.has(network)) return "evm";
  return CAIP2.test(network) || OTHER_NETWORKS.test(network) ? "other" : "unknown";
}

/** The name of a network in version 2. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;
const OTHER_NETWORKS =
  /^(?:solana|stellar|aptos|sui|near|cosmos|hedera|algorand|bip122|cloudflare|ton|tron|xrpl)(?:[:-][A-Za-z0-9:-]{1,64})?$/;

export const CREDITS = "service-credits";

/** The names of other EVM chains in x402 version 1. */
const EVM_NETWORKS: ReadonlySet<string> = new Set([
  "abstract",
  "abstract-testnet",
  "arbitrum",
  "avalanche",
  "avalanche-fuji",
  "bsc",
  "celo",
  "ethereum",
  "iotex",
  "monad",
  "optimism",
  "peaq",
  "polygon",
  "polygon-amoy",
  "sei",
  "sei-testnet",
  "skale-base-sepolia",
  "story",
]);

export const USDC_ASSETS: ReadonlySet<string> = new Set(Object.values(NETWORKS).map(({ usdc }) => usdc.toLowerCase()));
