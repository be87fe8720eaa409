import { PAYMENT_IDENTIFIER } from "@tessera/x402/offers";
import type { Address } from "@/lib/core/address";
import { firstCharacters } from "@/lib/core/characters";
import type { Usdc } from "@/lib/core/money";
import { isRecord } from "@/lib/core/record";
import { bazaarOf, type Discovery, outputSchemaOf } from "./discovery";
import { NETWORKS, type Network, type NetworkName } from "./networks";
import { paymentIdentifierDeclaration } from "./payment-identifier";

/** The price of one of this service's resources: scheme `exact`, USDC on `network`. `resource` is an absolute URL. */
export type Requirement = {
  network: NetworkName;
  amount: Usdc;
  payTo: Address;
  resource: string;
  description: string;
  /** A v2 proof that names another URL is refused: the query of `resource` says what is bought. */
  isResourceBound?: boolean;
  /** Query parameters that a payment needs and `resource` lacks: it is a price for probes. */
  missing?: readonly string[];
  /** What the resource takes and returns. */
  discovery?: Discovery;
};

/** How long a payer's proof should be valid, in seconds. Stock clients copy it into `validBefore`. */
export const MAX_TIMEOUT_SECONDS = 60;
export const MIME_TYPE = "application/json";

/** An entry of `accepts` in x402 v1. No field is null: stock clients reject the whole response for one null. */
export function requirementV1(r: Requirement) {
  const network = NETWORKS[r.network];
  return {
    scheme: "exact" as const,
    network: r.network,
    maxAmountRequired: r.amount.toString(),
    resource: r.resource,
    description: r.description,
    mimeType: MIME_TYPE,
    payTo: r.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    asset: network.usdc,
    extra: extraOf(network),
    ...(r.discovery && { outputSchema: outputSchemaOf(r.discovery) }),
  };
}

/** The token's EIP-712 domain and the type to sign, so that clients need not read them from the chain. */
const extraOf = ({ tokenName, tokenVersion }: Network) => ({
  name: tokenName,
  version: tokenVersion,
  primaryType: "TransferWithAuthorization",
});

/** An entry of `accepts` in x402 v2, which names the resource once at the top level. */
export function requirementV2(r: Requirement) {
  const network = NETWORKS[r.network];
  return {
    scheme: "exact" as const,
    network: network.caip2,
    amount: r.amount.toString(),
    asset: network.usdc,
    payTo: r.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: extraOf(network),
  };
}

/** The default payment limit of stock clients, in atomic USDC: 1 USD in `@x402/*` 2.27, less in clients of x402 v1. */
const STOCK_LIMIT = 1_000_000n;

/** The `error` of a 402 to a request without a payment. */
export const unpaidError = ({ amount, missing = [] }: Pick<Requirement, "amount" | "missing">): string =>
  [
    "X-PAYMENT header is required",
    ...(missing.length > 0 ? [`Add to the query first: ${missing.join(", ")}. A payment without it is refused`] : []),
    ...(amount > STOCK_LIMIT
      ? ["Stock x402 clients refuse more than 1 USD until their own limit is raised (maxAmountPerPayment, maxValue)"]
      : []),
  ].join(". ");

/** The body of a 402 (x402 v1). */
export const paymentRequiredV1 = (requirements: Requirement[], error: string, code?: string) => ({
  x402Version: 1 as const,
  error,
  accepts: requirements.map(requirementV1),
  ...(code && { code }),
});

/** Characters of a text in a header that would be too long. */
const SHORT_TEXT_MAX = 60;

const shortText = (text: string): string => {
  const start = firstCharacters(text, SHORT_TEXT_MAX);
  return start.length < text.length ? `${start}…` : text;
};

/** The requirement with short texts for people: the description, and those of its input's fields. */
export const withShortTexts = ({ discovery, ...r }: Requirement): Requirement => ({
  ...r,
  description: shortText(r.description),
  ...(discovery && {
    discovery: { ...discovery, input: { ...discovery.input, schema: withShortDescriptions(discovery.input.schema) } },
  }),
});

function withShortDescriptions(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema;
  if (!isRecord(properties)) return schema;
  const short = Object.entries(properties).map(([name, field]) => [
    name,
    isRecord(field) && typeof field.description === "string"
      ? { ...field, description: shortText(field.description) }
      : field,
  ]);
  return { ...schema, properties: Object.fromEntries(short) };
}

/** The content of the `PAYMENT-REQUIRED` header (x402 v2). `extraExtensions`: extensions of this response only. */
export const paymentRequiredV2 = (
  requirements: [Requirement, ...Requirement[]],
  error: string,
  extraExtensions: Readonly<Record<string, object>> = {},
) => ({
  x402Version: 2 as const,
  error,
  resource: { url: requirements[0].resource, description: requirements[0].description, mimeType: MIME_TYPE },
  accepts: requirements.map(requirementV2),
  extensions: { ...extensionsOf(requirements[0]), ...extraExtensions },
});

/** The declarations of the x402 v2 extensions that a resource supports. */
export const extensionsOf = ({ discovery }: Requirement) => ({
  [PAYMENT_IDENTIFIER]: paymentIdentifierDeclaration,
  ...(discovery && bazaarOf(discovery)),
});
