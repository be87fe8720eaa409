import { networkNamed } from "../../../x402/src/networks.ts";
import { isAddress, looksLike } from "../chain/accounts.ts";
import { type Fields, isRecord } from "../record.ts";
import { isElsewhere } from "./networks.ts";
import { type Find, isStandard, type Option, readAtomic } from "./options.ts";
import type { X402Rule } from "./rules.ts";
import { isUnder, readResource } from "./url.ts";

/**
 * Compares every option with what the caller expects to pay. An absent member expects nothing. Returns whether the caller has named
 * the network, and an option there meets every expectation.
 */
export function inspectExpected(options: readonly Option[], expected: unknown, find: Find): boolean {
  if (expected === undefined || expected === null) return false;
  if (!isRecord(expected)) {
    find("badExpected", "expected");
    return false;
  }
  const isUnknown = ([name, expectation]: [string, unknown]) =>
    !MEMBERS.has(name) && expectation !== undefined && expectation !== null;
  if (Object.entries(expected).some(isUnknown)) find("unknownExpected", "expected");
  const checks = CHECKS.flatMap((check) => {
    const expectation = expected[check.member];
    if (expectation === undefined || expectation === null) return [];
    const test = check.read(expectation, expected);
    if (test === null) find("badExpected", `expected.${check.member}`);
    return test === null ? [] : [{ ...check, test }];
  });
  const misses = options.map((option) => ({ option, failed: checks.filter(({ test }) => !test(option)) }));
  const isMatch = ({ option, failed }: (typeof misses)[number]) =>
    failed.length === 0 && isStandard(option) && (option.kind === "ours" || typeof expected.network === "string");
  const hasMatch = misses.some(isMatch);
  for (const { option, failed } of misses) {
    if (hasMatch && failed.length > 0 && isElsewhere(option.kind)) {
      find("otherOffer", option.field);
      continue;
    }
    for (const { rule, lighterRule, member } of failed) {
      const isPoisoned = member === "payTo" && isAddress(expected.payTo) && resembles(option, expected.payTo);
      find(isPoisoned ? "recipientLookalike" : hasMatch ? lighterRule : rule, placeOf(member, option));
    }
  }
  return hasMatch && typeof expected.network === "string";
}

type Test = (option: Option) => boolean;

type Check = {
  member: string;
  rule: X402Rule;
  /** The lighter rule, for when another option meets every expectation. */
  lighterRule: X402Rule;
  /** Returns null when the expectation itself is malformed. */
  read: (expectation: unknown, expected: Fields) => Test | null;
};

const defineCheck = (member: string, rule: X402Rule, lighterRule: X402Rule, read: Check["read"]): Check => ({
  member,
  rule,
  lighterRule,
  read,
});

const CHECKS: readonly Check[] = [
  defineCheck("network", "networkUnexpected", "otherNetwork", readNetwork),
  defineCheck("maxAmountAtomic", "amountAbove", "otherAmount", readMaximum),
  defineCheck("payTo", "recipientUnexpected", "otherRecipient", readPayTo),
  defineCheck("asset", "assetUnexpected", "otherAsset", readAsset),
  defineCheck("resource", "resourceUnexpected", "otherResource", readPrefix),
];

/** The path of what is compared. */
function placeOf(member: string, { field, places }: Option): string {
  if (member === "maxAmountAtomic") return places.amount;
  return member === "resource" ? places.resource : `${field}.${member}`;
}

const MEMBERS: ReadonlySet<string> = new Set(CHECKS.map(({ member }) => member));

function readNetwork(networkText: unknown): Test | null {
  if (typeof networkText !== "string" || networkText === "") return null;
  const network = networkNamed(networkText);
  return (option) => (network ? option.network?.name === network.name : option.networkText === networkText);
}

/** An option without a readable amount passes: `amountInvalid` has been found already. Credits are compared by their worth. */
function readMaximum(amount: unknown): Test | null {
  const maximum = amount === "0" ? 0n : readAtomic(amount);
  if (maximum === null) return null;
  return ({ kind, worth, amount }) => {
    const charge = kind === "credits" ? worth : amount;
    return charge === null || charge <= maximum;
  };
}

function readPayTo(recipient: unknown): Test | null {
  if (typeof recipient !== "string" || recipient === "") return null;
  if (isAddress(recipient)) return (option) => option.payTo === recipient.toLowerCase();
  return recipient.startsWith("0x") ? null : (option) => option.fields.payTo === recipient;
}

function readAsset(asset: unknown): Test | null {
  if (isAddress(asset)) return (option) => option.asset === asset.toLowerCase();
  if (typeof asset !== "string" || asset === "" || asset.startsWith("0x")) return null;
  if (asset.toLowerCase() !== "usdc") return (option) => option.fields.asset === asset;
  return (option) => option.network !== null && option.asset === option.network.usdc.toLowerCase();
}

function readPrefix(resource: unknown): Test | null {
  const { url } = readResource(resource);
  return url === null ? null : (option) => option.resource.url !== null && isUnder(option.resource.url, url);
}

const resembles = ({ payTo }: Option, recipient: string): boolean =>
  payTo !== null && looksLike(payTo, recipient.toLowerCase());
