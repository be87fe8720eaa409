import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONFIRMATION_TYPES } from "@/lib/confirmations/rules";
import { faultsOf } from "@/tests/clear-signing/erc7730";
import { descriptor as schema } from "./contract";
import { DESCRIPTOR_FILES, descriptorOf } from "./descriptors";
import { elementOf, type Types } from "./encode-type";
import { MESSAGES, wordsOf } from "./words";

const named = (file: string) => {
  const descriptor = descriptorOf(file, "https://wallet.test");
  if (!descriptor) throw new Error(`no descriptor ${file}`);
  return descriptor;
};
const formats = DESCRIPTOR_FILES.flatMap((file) =>
  Object.entries(named(file).display.formats).map(([type, format]) => ({ file, type, format })),
);

/** encodeType, read back. */
function typesIn(encoded: string): { primaryType: string; types: Types } {
  const structs = [...encoded.matchAll(/(\w+)\(([^()]*)\)/g)].map(([, name = "", members = ""]) => {
    const read = members.split(",").map((member) => member.split(" "));
    return [name, read.map(([type = "", of = ""]) => ({ name: of, type }))] as const;
  });
  return { primaryType: structs[0]?.[0] ?? "", types: Object.fromEntries(structs) };
}

/** The paths of its values. */
function leaves(name: string, types: Types, above = ""): string[] {
  return (types[name] ?? []).flatMap((member): string[] => {
    const element = elementOf(member.type);
    const path = `${above}${member.name}${element === member.type ? "" : ".[]"}`;
    return types[element] ? leaves(element, types, `${path}.`) : [path];
  });
}

test("the documentation names each message", () => {
  const page = readFileSync("docs/clear-signing.md", "utf8");
  const messages = Object.keys(CONFIRMATION_TYPES).filter((type) => !page.includes(`\`${type}\``));
  expect(messages).toEqual([]);
});

test.each(DESCRIPTOR_FILES)(
  "the descriptor %s follows the rules of ERC-7730, and matches the schema of the response",
  (file) => {
    expect(faultsOf(named(file))).toEqual([]);
    expect(schema.safeParse(named(file)).error).toBeUndefined();
  },
);

describe.each(formats)("the descriptor $file for the message type $type", ({ type, format }) => {
  test("displays every signed value once", () => {
    const { primaryType, types } = typesIn(type);
    const paths = format.fields.map(({ path }) => path);
    expect(paths.sort()).toEqual(leaves(primaryType, types).sort());
  });
});

type Broken = ReturnType<typeof named>;

/** A copy of the descriptor of USDC, in which `change` breaks one rule. */
function broken(change: (of: Broken, payment: Broken["display"]["formats"][string]) => unknown): unknown {
  const copy = structuredClone(named("eip712-usdc.json"));
  const payment = Object.entries(copy.display.formats).find(([type]) => type.startsWith("TransferWith"))?.[1];
  if (!payment) throw new Error("no format of a payment");
  change(copy, payment);
  return copy;
}

/** Renames the key of the payment's format. */
const rename = (of: Broken, to: (type: string) => string) => {
  const { formats } = of.display;
  of.display.formats = Object.fromEntries(Object.entries(formats).map(([type, format]) => [to(type), format]));
};

test.each<[fault: string, change: Parameters<typeof broken>[0]]>([
  [
    "$schema",
    (of) => Object.assign(of, { $schema: "https://eips.ethereum.org/assets/eip-7730/erc7730-v1.schema.json" }),
  ],
  ["Unrecognized key", (of) => Object.assign(of, { includes: "other.json" })],
  ["context.eip712 is bound to nothing", (of) => Object.assign(of.context, { eip712: {} })],
  ["context.eip712 is bound to nothing", (of) => Object.assign(of.context, { eip712: { domain: {} } })],
  [
    "is not an address of EIP-55",
    ({ context }) =>
      context.eip712.deployments?.map((one) =>
        Object.assign(one, { address: one.address.toLowerCase().replace("0x8", "0xA") }),
      ),
  ],
  ["chainId", ({ context }) => context.eip712.deployments?.map((one) => Object.assign(one, { chainId: 0 }))],
  ["metadata.owner", (of) => Object.assign(of.metadata, { owner: "" })],
  ["metadata.token.decimals", (of) => Object.assign(of.metadata.token ?? {}, { decimals: -1 })],
  ["describes no message", (of) => Object.assign(of.display, { formats: {} })],
  ["its key is not an encodeType", (of) => rename(of, (type) => `${type}Unused(uint256 value)`)],
  ["is no type", (of) => rename(of, (type) => type.replace("uint256", "uint"))],
  ["fields", (_, payment) => payment.fields.splice(0)],
  ["label", (_, payment) => Object.assign(payment.fields[0] ?? {}, { label: " " })],
  ["value.[] leads to no value", (_, payment) => Object.assign(payment.fields[0] ?? {}, { path: "value.[]" })],
  ["sum leads to no value", (_, payment) => Object.assign(payment.fields[0] ?? {}, { path: "sum" })],
  [
    "which addressName does not show",
    (_, payment) => Object.assign(payment.fields[0] ?? {}, { format: "addressName" }),
  ],
  ["has not the parameters of tokenAmount", (_, payment) => Reflect.deleteProperty(payment.fields[0] ?? {}, "params")],
  ["has not the parameters of date", (_, payment) => Object.assign(payment.fields[0] ?? {}, { format: "date" })],
  ["has no token at nonce", (_, payment) => Object.assign(payment.fields[0] ?? {}, { params: { tokenPath: "nonce" } })],
  ["which is no field", (_, payment) => Object.assign(payment, { interpolatedIntent: "Pay {sum}" })],
  ["has a single brace", (_, payment) => Object.assign(payment, { interpolatedIntent: "Pay {value} to {to" })],
])("a descriptor that breaks a rule is reported: %s", (fault, change) => {
  const faults = faultsOf(broken(change));
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.join("\n")).toContain(fault);
});

test("doubled braces in a descriptor's text are literal braces", () => {
  expect(faultsOf(broken((_, payment) => Object.assign(payment, { interpolatedIntent: "{{Pay}} {value}" })))).toEqual(
    [],
  );
});

test("every message that people sign has a descriptor", () => {
  const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join("lib", file), "utf8"));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/primaryType: (?:z\.literal\()?"(\w+)"/g)].map(([, name = ""]) => name),
  );
  const signed = new Set([...names, ...Object.keys(CONFIRMATION_TYPES)]);
  // The service signs these, and no wallet of a person ever sees them.
  for (const name of ["Pull", "Count"]) signed.delete(name);
  const described = formats.map(({ type }) => typesIn(type).primaryType);
  expect([...signed].sort()).toEqual([...new Set(described)].sort());
  expect([...signed].sort()).toEqual(Object.keys(MESSAGES).sort());
});

test("messages of other applications have no descriptor", () => {
  expect(wordsOf("Order")).toBeNull();
  expect(wordsOf("toString")).toBeNull();
  expect(descriptorOf("eip712-other.json", "https://wallet.test")).toBeNull();
});
