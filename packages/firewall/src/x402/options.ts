import { NETWORKS, type Network, networkNamed } from "../../../x402/src/networks.ts";
import { findRefusal } from "../../../x402/src/offers.ts";
import {
  isAddress,
  isBurn,
  isLookalike,
  isReserved,
  isTokenContract,
  isWellSpelt,
  named,
  ZERO,
} from "../chain/accounts.ts";
import { type Fields, isRecord, isSameText } from "../record.ts";
import { worthOf } from "./amounts.ts";
import { statesPurpose } from "./description.ts";
import { isElsewhere, kindOf, type NetworkKind } from "./networks.ts";
import { gateway, type X402Rule } from "./rules.ts";
import { hostOf, readResource } from "./url.ts";

export type Find = (rule: X402Rule, field: string) => void;

/** An entry of `accepts`, as far as it can be read. Addresses are lower case. */
export type Option = ReturnType<typeof readOption>;

/** What a body states once for all options: in version 2 it comes first, in version 1 it is a way out. */
export type Shared = { isVersion2: boolean; resource: unknown; description: unknown; mimeType: unknown };

const UINT256_MAX = 2n ** 256n - 1n;
/** A trillion USDC. */
const AMOUNT_ABSURD = 10n ** 18n;
const TIMEOUT_LONG = 3600;
const WELL_KNOWN = named([]);

export function readOption(fields: Fields, index: number, shared: Shared) {
  const timeout = fields.maxTimeoutSeconds;
  const networkText = typeof fields.network === "string" ? fields.network : "";
  const network = networkNamed(networkText);
  const { isVersion2 } = shared;
  const resourceText = isVersion2 ? (shared.resource ?? fields.resource) : (fields.resource ?? shared.resource);
  const field = `accepts[${index}]`;
  const kind = kindOf(networkText);
  const asset = lowerAddress(fields.asset);
  const hasAmount = fields.amount !== undefined && (isVersion2 || fields.maxAmountRequired === undefined);
  const amount = readAtomic(hasAmount ? fields.amount : fields.maxAmountRequired);
  return {
    index,
    field,
    fields,
    networkText,
    network,
    kind,
    /** Where the amount, the resource and its description are stated, or belong. */
    places: isVersion2
      ? { amount: `${field}.amount`, resource: "resource.url", description: "resource.description" }
      : {
          amount: `${field}.${hasAmount ? "amount" : "maxAmountRequired"}`,
          resource: `${field}.resource`,
          description: `${field}.description`,
        },
    /** As stated, in the units of its asset. */
    amount,
    /** The amount in atomic units of USDC, or null when the asset's price is not known. */
    worth: worthOf({ amount, kind, network, asset: asset ?? fields.asset }),
    payTo: lowerAddress(fields.payTo),
    asset,
    resourceText,
    resource: readResource(resourceText),
    timeout: typeof timeout === "number" && Number.isSafeInteger(timeout) && timeout > 0 ? timeout : null,
    description: isVersion2 ? (shared.description ?? fields.description) : (fields.description ?? shared.description),
    mimeType: fields.mimeType ?? shared.mimeType,
    method: methodOf(fields, kind, network),
  };
}

/**
 * How an option of the scheme `exact` is signed: for its token (`standard`), for Circle's Gateway, for another contract
 * or by a name that no token has (`foreign`), or without EIP-3009 (`allowance`). Clients of the standard pay only by the
 * first.
 */
type Method = "standard" | "gateway" | "foreign" | "allowance";

function methodOf(fields: Fields, kind: NetworkKind, network: Network | null): Method {
  if (!isRecord(fields.extra) || fields.scheme !== "exact") return "standard";
  const { assetTransferMethod = EIP3009, name, verifyingContract } = fields.extra;
  const isEvm = kind === "ours" || kind === "evm";
  if (isEvm && assetTransferMethod !== EIP3009) return "allowance";
  const isForToken = verifyingContract === undefined || isSameText(verifyingContract, fields.asset);
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

/** Which of other networks are test networks is not known. */
const isGateway = (contract: unknown, network: Network | null): boolean =>
  (network?.isTestnet !== true && isSameText(contract, gateway.contract)) ||
  (network?.isTestnet !== false && isSameText(contract, gateway.testContract));

/** A positive integer in ASCII digits without leading zeros that fits uint256. */
export function readAtomic(value: unknown): bigint | null {
  if (typeof value !== "string" || !/^[1-9][0-9]{0,77}$/.test(value)) return null;
  const amount = BigInt(value);
  return amount <= UINT256_MAX ? amount : null;
}

export function inspectOption(option: Option, find: Find): void {
  const { field, places, resource, method } = option;
  inspectAmount(option, find);
  inspectRecipient(option, find);
  inspectAsset(option, find);
  for (const fault of resource.faults) find(fault, places.resource);
  if (option.timeout === null) find("timeoutInvalid", `${field}.maxTimeoutSeconds`);
  // What Circle's Gateway settles in batches is valid for days by design.
  else if (option.timeout > TIMEOUT_LONG && method !== "gateway") find("timeoutLong", `${field}.maxTimeoutSeconds`);
  if (!statesPurpose(option.description, option.resourceText, resource)) find("purposeUnstated", places.description);
}

/** Findings that need all options together. */
export function inspectTogether(options: readonly Option[], find: Find): void {
  if (options.length === 0) return;
  inspectSchemes(options, find);
  inspectNetworks(options, find);
  inspectGroups(options, tokenKey, payToKey, "destinationsConflict", "payTo", find);
  const onEvm = options.filter((option) => option.kind !== "other" && option.payTo !== null);
  const [first] = onEvm;
  for (const option of onEvm) {
    const isElsewhere = first !== undefined && tokenKey(option) !== tokenKey(first);
    if (isElsewhere && payToKey(option) !== payToKey(first)) find("destinationsVary", `${option.field}.payTo`);
  }
  const located = options.filter((option) => option.resource.url !== null);
  inspectGroups(
    located,
    () => "",
    (o) => (o.resource.url ? hostOf(o.resource.url) : ""),
    "resourcesVary",
    "resource",
    find,
  );
}

/**
 * One offer must have one price. Where the caller has said on which network it pays (`isNetworkChosen`), a price in dollars on
 * another network is not compared.
 */
export function inspectPrices(options: readonly Option[], isNetworkChosen: boolean, find: Find): void {
  const isComparable = ({ kind, worth, network }: Option) =>
    worth !== null && network?.isTestnet !== true && !(isNetworkChosen && isElsewhere(kind));
  /** The recipient is left out: the same offer must have one price for all recipients. */
  const offerKey = (o: Option) =>
    [isComparable(o) ? "USDC" : tokenKey(o), textOf(o.fields.scheme), resourceKey(o)].join(" ");
  const amountKey = ({ worth, amount, fields }: Option) =>
    (worth ?? amount)?.toString() ?? textOf(fields.maxAmountRequired ?? fields.amount);
  inspectGroups(options, offerKey, amountKey, "amountsDiffer", "", find);
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
  if (!isWellSpelt(textOf(fields.payTo))) find("recipientChecksum", payToField);
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
  const hasStandard = options.some(isStandard);
  for (const option of options) {
    const methodRule = findMethodRule(option, hasStandard);
    if (methodRule !== null) find(methodRule, `${option.field}.extra`);
  }
}

function findMethodRule({ method, kind }: Option, hasStandard: boolean): X402Rule | null {
  switch (method) {
    case "standard":
      return null;
    case "gateway":
      return hasStandard ? "gatewaySome" : "gatewayAll";
    case "foreign":
      return "contractForeign";
    case "allowance":
      return kind === "ours" ? "methodAllowance" : "methodElsewhere";
    default:
      return method satisfies never;
  }
}

/** Whether a client can pay by it that knows only the scheme `exact`. */
export const isStandard = ({ fields, method }: Option): boolean => fields.scheme === "exact" && method === "standard";

function inspectNetworks(options: readonly Option[], find: Find): void {
  const isPayable = options.some((option) => option.kind === "ours" || option.kind === "credits");
  if (!isPayable) for (const option of options) find("networkUnknown", `${option.field}.network`);
  const garbled = isPayable ? options.filter((option) => option.kind === "unknown") : [];
  for (const option of garbled) find("networkMalformed", `${option.field}.network`);
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
/** Service credits are one asset, whatever an option calls it. */
const tokenKey = (o: Option) => (o.kind === "credits" ? o.kind : `${networkKey(o)} ${assetKey(o)}`);
/** Ignores a slash at the end of the path, the case of the host, and the query: these variants are one resource. */
const resourceKey = ({ resource: { url }, resourceText }: Option) =>
  url === null ? textOf(resourceText) : `${url.origin}${url.pathname.replace(/\/$/, "")}`;
/** Not String(): on an object it would recurse into, or call, what the body's author wrote. */
const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? `${value}` : "");

const lowerAddress = (value: unknown): string | null => (isAddress(value) ? value.toLowerCase() : null);
