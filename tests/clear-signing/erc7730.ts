import { isAddress } from "viem";
import { z } from "zod";
import { elementOf, encodeType, type Types } from "@/lib/clear-signing/encode-type";

/**
 * The rules of ERC-7730, version 2.0.0, for the parts of it that an EIP-712 descriptor without includes, definitions and enums
 * uses: https://eips.ethereum.org/EIPS/eip-7730. Written from its text; each rule names its section. What is not listed here is
 * refused, so that a new part needs a rule first.
 */

/** "Key naming convention", "Schema files and the `$schema` key": a consumer refuses another major version. */
const schemaUrl = z.url().regex(/\/erc7730-v2(\.\d+){0,2}\.schema\.json$/);

/** "EIP-712 messages binding context". Chain ids are of EIP-155, addresses as in EIP-55. */
const address = z
  .string()
  .refine((text) => isAddress(text, { strict: true }), { error: "is not an address of EIP-55" });
const chainId = z.int().positive();
const eip712 = z
  .strictObject({
    domain: z
      .strictObject({
        name: z.string().min(1),
        version: z.string().min(1),
        chainId,
        verifyingContract: address,
      })
      .partial()
      .optional(),
    deployments: z.array(z.strictObject({ chainId, address })).min(1).optional(),
  })
  // "Security considerations, Binding context": without one, the words would be shown for the messages of others.
  .refine(({ domain, deployments }) => deployments || (domain && Object.keys(domain).length > 0), {
    error: "is bound to nothing",
  });

/** "`Metadata` section". */
const metadata = z.strictObject({
  owner: z.string().min(1),
  contractName: z.string().min(1).optional(),
  info: z.strictObject({ url: z.url(), deploymentDate: z.iso.datetime().optional() }).optional(),
  token: z
    .strictObject({ name: z.string().min(1), ticker: z.string().min(1), decimals: z.int().min(0).max(255) })
    .optional(),
});

/** "Field formats": the parameters of each, and the types of Solidity that it applies to. */
const FORMATS = {
  raw: { types: /^(?:u?int\d*|string|bytes\d*|bool|address)$/, params: z.undefined() },
  addressName: { types: /^address$/, params: z.undefined() },
  tokenAmount: { types: /^u?int\d*$/, params: z.strictObject({ tokenPath: z.string() }) },
  date: { types: /^u?int\d*$/, params: z.strictObject({ encoding: z.enum(["timestamp", "blockheight"]) }) },
  duration: { types: /^u?int\d*$/, params: z.undefined() },
} as const;

/** "Field format specification". */
const field = z.strictObject({
  path: z.string(),
  label: z.string().regex(/\S/),
  format: z.enum(["raw", "addressName", "tokenAmount", "date", "duration"]),
  params: z.unknown().optional(),
});
type Field = z.output<typeof field>;

/** "Structured data format specification". */
const format = z.strictObject({
  intent: z.string().regex(/\S/),
  interpolatedIntent: z.string().regex(/\S/).optional(),
  fields: z.array(field).min(1),
});

export const descriptorRules = z
  .strictObject({
    $schema: schemaUrl,
    context: z.strictObject({ $id: z.string().min(1), eip712 }),
    metadata,
    display: z.strictObject({ formats: z.record(z.string(), format) }),
  })
  .superRefine(({ display: { formats } }, { addIssue }) => {
    if (Object.keys(formats).length === 0) addIssue("describes no message");
    for (const [key, { fields, interpolatedIntent }] of Object.entries(formats)) {
      const message = messageOf(key);
      const wrong =
        typeof message === "string"
          ? [message]
          : [...faultsOfFields(fields, message), ...faultsOfIntent(interpolatedIntent, fields)];
      for (const fault of wrong) addIssue(`${key.split("(")[0]}: ${fault}`);
    }
  });

/** What is wrong with a descriptor, in words; empty if it keeps the rules. */
export const faultsOf = (descriptor: unknown): string[] =>
  (descriptorRules.safeParse(descriptor).error?.issues ?? []).map(({ path, message }) =>
    [path.join("."), message].filter((part) => part !== "").join(" "),
  );

type Message = { primaryType: string; types: Types };

const ELEMENTARY =
  /^(?:address|bool|string|bytes|bytes(?:[1-9]|[12]\d|3[0-2])|u?int(?:8|16|24|32|40|48|56|64|72|80|88|96|1[0-2]\d|1[3-9]\d|2[0-4]\d|25[0-6]))$/;
const STRUCT = /([A-Za-z_]\w*)\(([^()]*)\)/g;

/** "`Display` section": keys are what encodeType of EIP-712 gives. */
function messageOf(key: string): Message | string {
  const structs = [...key.matchAll(STRUCT)].map(([, name = "", members = ""]) => {
    const read = members.split(",").map((member) => member.split(" "));
    return [name, read.map(([type = "", of = ""]) => ({ name: of, type }))] as const;
  });
  const types: Types = Object.fromEntries(structs);
  const primaryType = structs[0]?.[0] ?? "";
  for (const { name, type } of Object.values(types).flat()) {
    const element = elementOf(type);
    if (!/^[A-Za-z_]\w*$/.test(name)) return `${type} has no name`;
    if (!types[element] && !ELEMENTARY.test(element)) return `${type} is no type`;
  }
  return encodeType(primaryType, types) === key ? { primaryType, types } : "its key is not an encodeType";
}

/**
 * "Path references": names, and `[]` for each element of a list, relative to the message. The elementary type at the path; null
 * if there is none.
 */
function typeAt(path: string, { primaryType, types }: Message): string | null {
  let type: string | null = primaryType;
  for (const part of path.replace(/^#\./, "").split(".")) {
    if (part === "[]") type = /\[\d*\]$/.test(type) ? type.replace(/\[\d*\]$/, "") : "";
    else type = types[type]?.find(({ name }) => name === part)?.type ?? "";
    if (type === "") return null;
  }
  return ELEMENTARY.test(type) ? type : null;
}

/** "EIP-712 container": addresses that are not in the message. */
const CONTAINER = new Set(["@.to", "@.from"]);

function faultsOfFields(fields: readonly Field[], message: Message): string[] {
  return fields.flatMap(({ path, format: name, params }) => {
    const type = typeAt(path, message);
    if (type === null) return [`${path} leads to no value`];
    const rule = FORMATS[name];
    if (!rule.types.test(type)) return [`${path} is ${type}, which ${name} does not show`];
    const read = rule.params.safeParse(params);
    if (!read.success) return [`${path} has not the parameters of ${name}`];
    const token = read.data && "tokenPath" in read.data ? read.data.tokenPath : undefined;
    if (token === undefined || CONTAINER.has(token) || typeAt(token, message) === "address") return [];
    return [`${path} has no token at ${token}`];
  });
}

/** "Value interpolation": `{path}` of a value that has a field, `{{` and `}}` for braces. */
function faultsOfIntent(intent: string | undefined, fields: readonly Field[]): string[] {
  const text = (intent ?? "").replaceAll("{{", "").replaceAll("}}", "");
  const used = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, path = ""]) => path);
  if (/[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, ""))) return ["its sentence has a single brace"];
  return used
    .filter((path) => !fields.some((each) => each.path === path))
    .map((path) => `its sentence has {${path}}, which is no field`);
}
