import { checksummed } from "../chain/accounts.ts";
import { isRecord } from "../record.ts";
import { RULESET_VERSION } from "../ruleset.ts";
import { type Conclusion, conclude, type Hit } from "../verdict.ts";
import { formatUsdc } from "./amounts.ts";
import { inspectTexts } from "./body.ts";
import { inspectExpected } from "./expected.ts";
import { type Find, inspectOption, inspectPrices, inspectTogether, type Option, readOption } from "./options.ts";
import { x402Rules } from "./rules.ts";
import { hostOf } from "./url.ts";

/** The parts of an option that can be displayed: values of a known form, never free text. null where there is none. */
export type NormalizedOption = {
  index: number;
  scheme: string | null;
  network: string | null;
  chainId: number | null;
  amountAtomic: string | null;
  amountFormatted: string | null;
  payTo: string | null;
  asset: string | null;
  assetSymbol: string | null;
  resource: string | null;
  host: string | null;
  maxTimeoutSeconds: number | null;
  mimeType: string | null;
};

export type X402Scan = Conclusion & {
  normalized: NormalizedOption[];
  limitations: string;
  rulesetVersion: string;
};

export const X402_LIMITATIONS =
  "Deterministic checks of the payment requirement only: the resource is not fetched, no name is resolved, and the " +
  "recipient's reputation and the fairness of the price are not known. Assets of networks other than Base and Base " +
  "Sepolia are not checked. A pass means that no known signal matched: pay only within the approved mandate and amount.";

const OPTIONS_MAX = 100;
const OPTIONS_USUAL = 20;

/**
 * Scans the body of an unpaid 402 response, `{ paymentRequired, expected? }`. Accepts any JSON value and never throws:
 * what is wrong with it becomes a finding.
 */
export function scanX402(input: unknown): X402Scan {
  const fields = isRecord(input) ? input : {};
  const hits: Hit[] = [];
  const find: Find = (rule, field) => hits.push({ rule: x402Rules[rule], field });
  const secret = inspectTexts(input, hits);
  const options = readBody(fields.paymentRequired, find);
  for (const option of options) inspectOption(option, find);
  inspectTogether(options, find);
  const isNetworkChosen = inspectExpected(options, fields.expected, find);
  inspectPrices(options, isNetworkChosen, find);
  const { verdict, riskScore, findings } = conclude(hits);
  return {
    verdict,
    riskScore,
    findings,
    normalized: options.map((option) => normalize(option, secret)),
    limitations: X402_LIMITATIONS,
    rulesetVersion: RULESET_VERSION,
  };
}

function readBody(body: unknown, find: Find): Option[] {
  if (!isRecord(body)) {
    find("notObject", "paymentRequired");
    return [];
  }
  const { x402Version: version, accepts, resource } = body;
  if (version !== 1 && version !== 2) find(version === "2" ? "versionText" : "versionUnknown", "x402Version");
  if (!Array.isArray(accepts) || accepts.length === 0) {
    find("noOptions", "accepts");
    return [];
  }
  if (accepts.length > OPTIONS_MAX) find("tooManyOptions", "accepts");
  else if (accepts.length > OPTIONS_USUAL) find("manyOptions", "accepts");
  const isVersion2 = version === 2;
  const shared = isRecord(resource)
    ? { isVersion2, resource: resource.url, description: resource.description, mimeType: resource.mimeType }
    : { isVersion2, resource, description: undefined, mimeType: undefined };
  return accepts.slice(0, OPTIONS_MAX).flatMap((entry: unknown, index) => {
    if (isRecord(entry)) return [readOption(entry, index, shared)];
    find("notOption", `accepts[${index}]`);
    return [];
  });
}

function normalize(option: Option, secret: ReadonlySet<string>): NormalizedOption {
  /** A text of the body is repeated only if it has its expected form and is no secret. */
  const toDisplayable = (value: unknown, form: RegExp): string | null =>
    typeof value === "string" && form.test(value) && !secret.has(value) ? value : null;
  const { index, fields, network, amount, worth, payTo, asset, resource, timeout, kind } = option;
  const isUsdc = network !== null && asset === network.usdc.toLowerCase();
  const isShown = resource.url !== null && resource.faults.every((fault) => fault !== "urlCredentials");
  const resourceText = isShown ? toDisplayable(option.resourceText, /^https?:/i) : null;
  return {
    index,
    scheme: toDisplayable(fields.scheme, /^[a-z0-9-]{1,32}$/),
    network: network?.name ?? toDisplayable(fields.network, /^[A-Za-z0-9:-]{1,48}$/),
    chainId: network?.chainId ?? chainOf(option),
    amountAtomic: amount?.toString() ?? null,
    amountFormatted: worth !== null && (isUsdc || kind === "credits") ? formatUsdc(worth) : null,
    payTo: payTo === null ? null : checksummed(payTo),
    asset: asset === null ? null : checksummed(asset),
    assetSymbol: isUsdc ? "USDC" : null,
    resource: resourceText,
    host: resourceText !== null && resource.url ? hostOf(resource.url) : null,
    maxTimeoutSeconds: timeout,
    mimeType: toDisplayable(option.mimeType, /^[a-z]{1,20}\/[a-z0-9.+-]{1,60}$/),
  };
}

function chainOf({ networkText }: Option): number | null {
  const digits = /^eip155:([1-9][0-9]{0,14})$/.exec(networkText)?.[1];
  return digits === undefined ? null : Number(digits);
}
