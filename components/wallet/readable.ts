import { usdcText } from "@/components/ui/format";
import { utcMinute } from "@/components/ui/format-time";
import type { Descriptor, DescriptorField } from "@/lib/clear-signing/contract";
import { encodeType } from "@/lib/clear-signing/encode-type";
import { isRecord } from "@/lib/core/record";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import type { TypedDataJson } from "./test-wallet";

/** A message in words, as a wallet with ERC-7730 shows it. */
export type Readable = {
  owner: string;
  intent: string;
  sentence: string;
  fields: { label: string; text: string }[];
};

/** Null if the descriptor is not for this message. */
export function readable(descriptor: Descriptor, typedData: TypedDataJson): Readable | null {
  const { domain, types, primaryType } = typedData;
  const format = descriptor.display.formats[encodeType(primaryType, types)];
  if (!format || !isBoundTo(descriptor.context.eip712, domain)) return null;
  const textsByPath = new Map(format.fields.map((field) => [field.path, textsOf(field, typedData)]));
  const sentence = format.interpolatedIntent.replace(/\{([^}]+)\}/g, (_, path: string) => {
    const [text] = textsByPath.get(path) ?? [];
    if (text === undefined) throw new Error(`the descriptor has no field ${path}`);
    return text;
  });
  return {
    owner: descriptor.metadata.owner,
    intent: format.intent,
    sentence,
    fields: lines(format.fields, textsByPath),
  };
}

function isBoundTo({ domain, deployments }: Descriptor["context"]["eip712"], signed: TypedDataJson["domain"]): boolean {
  const isDomain = Object.entries(domain ?? {}).every(([name, value]) => signed[name] === value);
  const isDeployed = deployments?.some(
    ({ chainId, address }) => chainId === Number(signed.chainId) && isSame(address, signed.verifyingContract),
  );
  return isDomain && (isDeployed ?? true);
}

/** One line per value. Members of the same list element are grouped. */
function lines(
  fields: readonly DescriptorField[],
  textsByPath: ReadonlyMap<string, readonly string[]>,
): Readable["fields"] {
  const groups = new Map<string, DescriptorField[]>();
  for (const field of fields) {
    const list = field.path.split(".[]")[0] ?? "";
    groups.set(list, [...(groups.get(list) ?? []), field]);
  }
  return [...groups.values()].flatMap((group) => {
    const count = Math.max(...group.map(({ path }) => textsByPath.get(path)?.length ?? 0));
    if (count === 0) return group.map(({ label }) => ({ label, text: EMPTY }));
    return Array.from({ length: count }, (_, index) =>
      group.map(({ label, path }) => ({
        label: count === 1 ? label : `${label} ${index + 1}`,
        text: textsByPath.get(path)?.[index] ?? EMPTY,
      })),
    ).flat();
  });
}

const EMPTY = "empty";

const textsOf = (field: DescriptorField, typedData: TypedDataJson): string[] =>
  valuesAt(typedData.message, field.path.split(".")).map((value) => textOf(field, value, typedData));

function valuesAt(value: unknown, [step, ...remainingPath]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (step === "[]") return Array.isArray(value) ? value.flatMap((element) => valuesAt(element, remainingPath)) : [];
  return isRecord(value) && Object.hasOwn(value, step) ? valuesAt(value[step], remainingPath) : [];
}

function textOf({ path, format, params }: DescriptorField, value: unknown, typedData: TypedDataJson): string {
  const plain = typeof value === "boolean" ? (value ? "yes" : "no") : String(value) || EMPTY;
  if (!/^\d{1,78}$/.test(plain)) return plain;
  switch (format) {
    case "tokenAmount":
      return params && "tokenPath" in params && isUsdc(tokenOf(params.tokenPath, typedData), typedData)
        ? usdcText(BigInt(plain))
        : `${plain} units of an unknown token`;
    case "date": {
      if (path === "validAfter" && plain === "0") return "now";
      const time = new Date(Number(plain) * 1000);
      return Number.isNaN(time.getTime()) ? plain : utcMinute(time);
    }
    case "duration":
      return `${plain} seconds`;
    default:
      return plain;
  }
}

/** `@.to` is the verifying contract. */
const tokenOf = (path: string, { domain, message }: TypedDataJson): unknown =>
  path === "@.to" ? domain.verifyingContract : message[path];

const isUsdc = (token: unknown, { domain }: TypedDataJson): boolean =>
  NETWORK_NAMES.some((name) => NETWORKS[name].chainId === Number(domain.chainId) && isSame(NETWORKS[name].usdc, token));

const isSame = (a: string, b: unknown): boolean => typeof b === "string" && a.toLowerCase() === b.toLowerCase();
