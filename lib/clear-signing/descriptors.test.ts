import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isAddress } from "viem";
import { describe, expect, test } from "vitest";
import { CONFIRMATION_TYPES } from "@/lib/confirmations/rules";
import { descriptor as schema } from "./contract";
import { DESCRIPTOR_FILES, descriptorOf } from "./descriptors";
import { elementOf, encodeType, type Types } from "./encode-type";
import { MESSAGES, wordsOf } from "./words";

/** The rules of ERC-7730 (version 2) that apply to our descriptors, in our words: see decision 185. */

const named = (file: string) => {
  const found = descriptorOf(file, "https://wallet.test");
  if (!found) throw new Error(`no descriptor ${file}`);
  return found;
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

/** Path to elementary type. */
function leaves(name: string, types: Types, above = ""): [string, string][] {
  return (types[name] ?? []).flatMap((member): [string, string][] => {
    const element = elementOf(member.type);
    const path = `${above}${member.name}${element === member.type ? "" : ".[]"}`;
    return types[element] ? leaves(element, types, `${path}.`) : [[path, element]];
  });
}

const FITTING: Record<string, RegExp> = {
  raw: /./,
  addressName: /^address$/,
  tokenAmount: /^uint\d+$/,
  date: /^uint\d+$/,
  duration: /^uint\d+$/,
};

describe.each(DESCRIPTOR_FILES)("%s", (file) => {
  const found = named(file);

  test("has the members of a descriptor, and no other", () => {
    expect(schema.safeParse(found).error).toBeUndefined();
    expect(Object.keys(found).sort()).toEqual(["$schema", "context", "display", "metadata"]);
    expect(new URL(found.$schema).pathname).toMatch(/erc7730-v2\.schema\.json$/);
  });

  test("is bound to a domain or to deployments", () => {
    const { domain, deployments } = found.context.eip712;
    expect(domain ?? deployments).toBeDefined();
    for (const { chainId, address } of deployments ?? []) {
      expect(Number.isInteger(chainId) && chainId > 0).toBe(true);
      // EIP-55: isAddress compares the case of the digits.
      expect(isAddress(address, { strict: true })).toBe(true);
    }
  });
});

describe.each(formats)("$file: $type", ({ type, format }) => {
  const { primaryType, types } = typesIn(type);
  const values = new Map(leaves(primaryType, types));
  const paths = format.fields.map(({ path }) => path);

  test("has the key that encodeType gives", () => expect(encodeType(primaryType, types)).toBe(type));

  test("shows every signed value once", () => expect([...paths].sort()).toEqual([...values.keys()].sort()));

  test("gives each value a format and parameters that fit its type", () => {
    for (const { path, label, format: name, params } of format.fields) {
      expect(label).toMatch(/\S/);
      expect(values.get(path)).toMatch(FITTING[name] ?? /^$/);
      if (name === "date") expect(params).toEqual({ encoding: "timestamp" });
      else if (name === "tokenAmount") {
        const token = params && "tokenPath" in params ? params.tokenPath : "";
        expect(token === "@.to" || values.get(token) === "address").toBe(true);
      } else expect(params).toBeUndefined();
    }
  });

  test("interpolates only values that are shown", () => {
    const used = [...format.interpolatedIntent.matchAll(/\{([^}]*)\}/g)].map(([, path]) => path);
    expect(used.filter((path) => !paths.includes(path ?? ""))).toEqual([]);
    expect(format.interpolatedIntent.replaceAll(/\{[^{}]*\}/g, "")).not.toMatch(/[{}]/);
  });
});

test("every message that people sign is described", () => {
  const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join("lib", file), "utf8"));
  const names = sources.flatMap((text) =>
    [...text.matchAll(/primaryType: (?:z\.literal\()?"(\w+)"/g)].map(([, name = ""]) => name),
  );
  const signed = new Set([...names, ...Object.keys(CONFIRMATION_TYPES)]);
  // The service signs it, and no wallet of a person ever sees it.
  signed.delete("Pull");
  const described = formats.map(({ type }) => typesIn(type).primaryType);
  expect([...signed].sort()).toEqual([...new Set(described)].sort());
  expect([...signed].sort()).toEqual(Object.keys(MESSAGES).sort());
});

test("there are no words for a message of others", () => {
  expect(wordsOf("Order")).toBeNull();
  expect(wordsOf("toString")).toBeNull();
  expect(descriptorOf("eip712-other.json", "https://wallet.test")).toBeNull();
});
