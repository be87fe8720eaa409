import { NETWORK_NAMES, NETWORKS } from "../../../x402/src/networks.ts";
import { TesseraError } from "../errors.ts";
import type { NetworkName } from "../proof.ts";
import { checksummed, concat, fromHex, type Hex, hashOf, padded, toHex } from "./bytes.ts";
import { VAULT_CONTRACTS } from "./deployment.ts";

/** The terms that the owner agreed to; the vault's address is derived from them. Times are Unix seconds, amounts atomic USDC. */
export type VaultTerms = {
  /** Version of the vault's contract. Files of the first version may leave it out. */
  contractVersion: keyof typeof VAULT_CONTRACTS;
  token: Hex;
  owner: Hex;
  signer: Hex;
  agent: Hex | null;
  start: number;
  end: number;
  limit: string;
  perPayment: string | null;
  release: { amount: string; seconds: number } | null;
  payees: Hex | null;
  mandate: Hex;
};

export type Vault = { address: Hex; network: NetworkName; chainId: number; terms: VaultTerms };

const fail = (message: string): never => {
  throw new TesseraError({ code: "invalid_argument", message });
};

type Members = Record<string, unknown>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const ADDRESS = /^0x[\da-fA-F]{40}$/;
const WORD = /^0x[\da-fA-F]{64}$/;
const AMOUNT = /^\d{1,29}$/;

function addressIn(value: unknown, name: string): Hex {
  return typeof value === "string" && ADDRESS.test(value) ? checksummed(value) : fail(`${name} must be an address`);
}

function wordIn(value: unknown, name: string): Hex {
  const isWord = typeof value === "string" && WORD.test(value);
  return isWord ? (value.toLowerCase() as Hex) : fail(`${name} must be 32 bytes in hexadecimal`);
}

function amountIn(value: unknown, name: string): string {
  const isAmount = typeof value === "string" && AMOUNT.test(value) && BigInt(value) > 0n && BigInt(value) < 1n << 96n;
  return isAmount ? value : fail(`${name} must be an amount in atomic USDC, as text, above 0 and below 2^96`);
}

function wholeIn(value: unknown, name: string, bits: number): number {
  const isWhole = typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 2 ** bits;
  return isWhole ? value : fail(`${name} must be a whole number of seconds below 2^${bits}`);
}

function versionIn(value: unknown): VaultTerms["contractVersion"] {
  if (value === undefined) return 1;
  const isKnown = (version: unknown): version is VaultTerms["contractVersion"] => version === 1 || version === 2;
  return isKnown(value) ? value : fail("terms.contractVersion is not known here: get a newer version of this tool");
}

const orNull = <V>(value: unknown, parseValue: (value: unknown) => V): V | null =>
  value === null || value === undefined ? null : parseValue(value);

/** Refuses terms that the factory refuses: their vault can never be opened, so money sent to its address would be lost. */
function readTerms(t: Members): VaultTerms {
  const terms = {
    contractVersion: versionIn(t.contractVersion),
    token: addressIn(t.token, "terms.token"),
    owner: addressIn(t.owner, "terms.owner"),
    signer: addressIn(t.signer, "terms.signer"),
    agent: orNull(t.agent, (agent) => addressIn(agent, "terms.agent")),
    start: wholeIn(t.start, "terms.start", 48),
    end: wholeIn(t.end, "terms.end", 48),
    limit: amountIn(t.limit, "terms.limit"),
    perPayment: orNull(t.perPayment, (cap) => amountIn(cap, "terms.perPayment")),
    release: orNull(t.release, (release) => {
      if (!isObject(release)) return fail("terms.release must be null or { amount, seconds }");
      const seconds = wholeIn(release.seconds, "terms.release.seconds", 32);
      if (seconds === 0) fail("terms.release.seconds must not be 0");
      return { amount: amountIn(release.amount, "terms.release.amount"), seconds };
    }),
    payees: orNull(t.payees, (root) => wordIn(root, "terms.payees")),
    mandate: wordIn(t.mandate, "terms.mandate"),
  };
  const { owner, signer, agent, start, end } = terms;
  if (start >= end) fail("terms.end must be after terms.start");
  for (const [name, account] of Object.entries({ owner, signer }))
    if (BigInt(account) === 0n) fail(`terms.${name} must not be the zero address`);
  if (agent === signer) fail("terms.agent must be another address than terms.signer");
  return terms;
}

/** Returns the terms in the order of the contract, each value with its size in bytes. */
export const members = (t: VaultTerms): readonly (readonly [value: string | number | bigint, size: number])[] => [
  [t.token, 20],
  [t.owner, 20],
  [t.signer, 20],
  [t.agent ?? 0, 20],
  [t.start, 6],
  [t.end, 6],
  [t.release?.seconds ?? 0, 4],
  [BigInt(t.limit), 12],
  [BigInt(t.perPayment ?? 0), 12],
  [BigInt(t.release?.amount ?? 0), 12],
  [t.payees ?? 0, 32],
  [t.mandate, 32],
];

/** Returns the code of an open vault: an EIP-1167 proxy, followed by the terms. */
export function vaultCode(terms: VaultTerms): Hex {
  const packed = concat(...members(terms).map(([value, size]) => padded(value, size)));
  const [proxyPrefix, proxySuffix] = ["363d3d373d3d3d363d73", "5af43d82803e903d91602b57fd5bf3"];
  const { implementation } = VAULT_CONTRACTS[terms.contractVersion];
  return toHex(concat(fromHex(proxyPrefix), fromHex(implementation), fromHex(proxySuffix), packed));
}

/** Derives a vault's address from its terms (CREATE2, EIP-1014). */
export function vaultAddress(terms: VaultTerms): Hex {
  const code = fromHex(vaultCode(terms));
  const creation = concat(fromHex("61"), padded(code.length, 2), fromHex("3d81600a3d39f3"), code);
  const salt = padded(0, 32);
  const { factory } = VAULT_CONTRACTS[terms.contractVersion];
  const hash = hashOf(concat(fromHex("ff"), fromHex(factory), salt, fromHex(hashOf(creation))));
  return checksummed(`0x${hash.slice(-40)}`);
}

/**
 * Reads a vault file, an object or its JSON text with `terms` and an optional `address`, and derives the address from the terms. Throws
 * TesseraError `invalid_argument` for invalid terms, an unknown token, or an `address` that does not follow from the terms.
 *
 * @example
 * const vault = vaultOf(await readFile("vault.json", "utf8"));
 * console.log(vault.address, vault.network, vault.terms.limit);
 */
export function vaultOf(file: unknown): Vault {
  const root = typeof file === "string" ? parseFile(file) : file;
  const vaultJson = isObject(root) && isObject(root.vault) ? root.vault : root;
  if (!isObject(vaultJson)) return fail("This is not a vault file: it must be a JSON object with `terms`");
  const terms = readTerms(
    isObject(vaultJson.terms) ? vaultJson.terms : fail("This is not a vault file: it has no `terms`"),
  );
  const network = NETWORK_NAMES.find((name) => checksummed(NETWORKS[name].usdc) === terms.token);
  if (!network) return fail(`terms.token ${terms.token} is not the USDC of a known network`);
  const address = vaultAddress(terms);
  if (vaultJson.address !== undefined && addressIn(vaultJson.address, "address") !== address) {
    return fail(`These terms are of the vault ${address}, not of ${checksummed(String(vaultJson.address))}`);
  }
  return { address, network, chainId: NETWORKS[network].chainId, terms };
}

function parseFile(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail("This is not a vault file: it is not JSON");
  }
}
