import { networkNamed } from "../../../x402/src/networks.ts";
import { isAddress, looksLike } from "../chain/accounts.ts";
import { isRecord } from "../record.ts";
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
    !Object.hasOwn(CHECKS, name) && expectation !== undefined && expectation !== null;
  if (Object.entries(expected).some(isUnknown)) find("unknownExpected", "expected");
  const checks = Object.entries(CHECKS).flatMap(([member, check]) => {
    const expectation = expected[member];
    if (expectation === undefined || expectation === null) return [];
    const test = check.read(expectation);
    if (test === null) find("badExpected", `expected.${member}`);
    return test === null ? [] : [{ ...check, member, test }];
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

/** `read` returns null when the expectation itself is malformed. The lighter rule is for when another option meets every expectation. */
type Check = { read: (expectation: unknown) => Test | null; rule: X402Rule; lighterRule: X402Rule };

const CHECKS: Readonly<Record<string, Check>> = {
  network: { read: readNetwork, rule: "networkUnexpected", lighterRule: "otherNetwork" },
  maxAmountAtomic: { read: readMaximum, rule: "amountAbove", lighterRule: "otherAmount" },
  payTo: { read: readPayTo, rule: "recipientUnexpected", lighterRule: "otherRecipient" },
  asset: { read: readAsset, rule: "assetUnexpected", lighterRule: "otherAsset" },
  resource: { read: readPrefix, rule: "resourceUnexpected", lighterRule: "otherResource" },
};

/** The path of what is compared. */
function placeOf(member: string, { field, places }: Option): string {
  if (member === "maxAmountAtomic") return places.amount;
  return member === "resource" ? places.resource : `${field}.${member}`;
}

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
