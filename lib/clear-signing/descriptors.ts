import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import { CONFIRMATION_DOMAIN, CONFIRMATION_TYPES } from "@/lib/confirmations/rules";
import {
  MANDATE_DOMAIN_NAME,
  MANDATE_VERSIONS,
  VAULT_DOMAIN,
  VAULT_TYPES,
  VAULT_USDC_TYPES,
} from "@/lib/mandates/typed-data";
import type { System } from "@/lib/platform/context";
import { CANCELLATION_TYPES } from "@/lib/x402/cancellation";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import type { Descriptor, DescriptorField } from "./contract";
import { elementOf, encodeType, type Types } from "./encode-type";
import { clearSigningErrors } from "./errors";
import { MESSAGES, type MessageName, type MessageWords } from "./words";

/** ERC-7730 version 2: formats are keyed by encodeType, so a descriptor can have several versions of one message. */
const SCHEMA = "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json";

/** A message and its EIP-712 types. */
type Signed = { readonly name: MessageName; readonly types: Types };

type Source = {
  readonly context: Descriptor["context"];
  readonly metadata: Omit<Descriptor["metadata"], "info">;
  readonly isOurs: boolean;
  /** The path of the member with the token of the message's amounts. */
  readonly tokenPath?: string;
  readonly messages: readonly Signed[];
};

const one = (name: MessageName, types: Types): Signed => ({ name, types });
const toMessages = (types: Types): Signed[] => Object.keys(types).map((name) => one(name as MessageName, types));

const OWNER = { owner: "Tessera" };

/** Keyed by file name. The path `@.to` is the verifying contract. */
const SOURCES = {
  "eip712-mandate.json": {
    context: { $id: "Spending mandate", eip712: { domain: { name: MANDATE_DOMAIN_NAME } } },
    metadata: OWNER,
    isOurs: true,
    tokenPath: "asset",
    messages: MANDATE_VERSIONS.map((types) => one("SpendingMandate", types)),
  },
  "eip712-vault.json": {
    context: { $id: "Vault of a mandate", eip712: { domain: VAULT_DOMAIN } },
    metadata: OWNER,
    isOurs: true,
    messages: toMessages(VAULT_TYPES),
  },
  "eip712-confirmations.json": {
    context: { $id: "Confirmation by an owner", eip712: { domain: CONFIRMATION_DOMAIN } },
    metadata: OWNER,
    isOurs: true,
    messages: Object.entries(CONFIRMATION_TYPES).map(([name, types]) => one(name as MessageName, types)),
  },
  "eip712-usdc.json": {
    context: {
      $id: "USDC",
      eip712: {
        deployments: NETWORK_NAMES.map((network) => ({
          chainId: NETWORKS[network].chainId,
          address: NETWORKS[network].usdc,
        })),
      },
    },
    metadata: { owner: "Circle", contractName: "USDC", token: { name: "USD Coin", ticker: "USDC", decimals: 6 } },
    isOurs: false,
    tokenPath: "@.to",
    messages: [...toMessages(TRANSFER_TYPES), ...toMessages(VAULT_USDC_TYPES), ...toMessages(CANCELLATION_TYPES)],
  },
} satisfies Record<string, Source>;

export const DESCRIPTOR_FILES = Object.keys(SOURCES) as readonly (keyof typeof SOURCES)[];

/** The descriptor in `file`; null if there is none. `url` is the address of this service. */
export function descriptorOf(file: string, url: string): Descriptor | null {
  const source: Source | undefined = Object.entries(SOURCES).find(([name]) => name === file)?.[1];
  if (!source) return null;
  const { context, metadata, isOurs, messages, tokenPath } = source;
  const formats = messages.map(({ name, types }) => {
    const { intent, sentence }: MessageWords = MESSAGES[name];
    const format = { intent, interpolatedIntent: sentence, fields: fieldsOf(name, types, tokenPath) };
    return [encodeType(name, types), format] as const;
  });
  return {
    $schema: SCHEMA,
    context,
    metadata: { ...metadata, ...(isOurs && { info: { url } }) },
    display: { formats: Object.fromEntries(formats) },
  };
}

type Site = { config: Pick<System["config"], "baseUrl"> };

/** Throws DESCRIPTOR_NOT_FOUND. */
export function descriptorNamed({ config }: Site, file: string): Descriptor {
  const descriptor = descriptorOf(file, config.baseUrl);
  if (!descriptor) throw clearSigningErrors.DESCRIPTOR_NOT_FOUND();
  return descriptor;
}

export const descriptorList = (site: Site) => ({
  descriptors: DESCRIPTOR_FILES.map((file) => ({
    url: `${site.config.baseUrl}/.well-known/erc7730/${file}`,
    messages: Object.keys(descriptorNamed(site, file).display.formats),
  })),
});

/** One field for each value of the message, in the order of its words. Throws for a value without words. */
function fieldsOf(name: MessageName, types: Types, tokenPath: string | undefined): DescriptorField[] {
  const { members }: MessageWords = MESSAGES[name];
  const order = Object.keys(members);
  return leavesOf(name, types)
    .map(({ key, path }) => {
      const member = members[key];
      if (!member) throw new Error(`no words for ${name}.${key}`);
      const { label, format } = member;
      const field: DescriptorField = { path, label, format };
      if (format === "tokenAmount" && tokenPath !== undefined) field.params = { tokenPath };
      if (format === "date") field.params = { encoding: "timestamp" };
      return { index: order.indexOf(key), field };
    })
    .sort((a, b) => a.index - b.index)
    .map(({ field }) => field);
}

/** `key`: as in `members` of the words. `path`: as in ERC-7730, where `[]` is each element of a list. */
function leavesOf(name: string, types: Types): { key: string; path: string }[] {
  return (types[name] ?? []).flatMap((member) => {
    const element = elementOf(member.type);
    const path = element === member.type ? member.name : `${member.name}.[]`;
    if (!types[element]) return [{ key: member.name, path }];
    return leavesOf(element, types).map((leaf) => ({
      key: `${member.name}.${leaf.key}`,
      path: `${path}.${leaf.path}`,
    }));
  });
}
