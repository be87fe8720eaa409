import { formatUsdc } from "@tessera/client";
import type { Vault, VaultTerms } from "@tessera/client/vault";

export const NETWORK = { base: "Base", "base-sepolia": "Base Sepolia" } as const;

/** Not rounded. The integer part is grouped in the reader's locale. */
export function usdc(atomic: string | bigint): string {
  const [whole = "0", decimals] = formatUsdc(String(atomic)).split(".");
  return `${BigInt(whole).toLocaleString()}.${decimals}`;
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const LAST_DATE = 8_640_000_000_000;

/** A date, absolute and relative. */
export function time(seconds: number, now = Date.now() / 1_000): string {
  if (seconds > LAST_DATE) return "never";
  const away = seconds - now;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? UNITS[2];
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(Math.trunc(away / size), unit);
  const date = new Date(seconds * 1_000);
  return `${date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })} (${relative})`;
}

function every(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? (["second", 1] as const);
  const count = seconds / size;
  return count === 1 ? `each ${unit}` : `every ${count} ${unit}s`;
}

const release = (t: VaultTerms) =>
  t.release === null
    ? "All at once"
    : `${usdc(t.release.amount)} USDC ${every(t.release.seconds)}; the rest carries over`;

/** Pairs of name and value. `isExact`: the value is an address or a hash. */
export const termRows = ({
  address,
  network,
  terms: t,
}: Vault): readonly { name: string; text: string; isExact?: true }[] => [
  { name: "Vault", text: address, isExact: true },
  { name: "Contract", text: `Version ${t.contractVersion}` },
  { name: "Network", text: NETWORK[network] },
  { name: "Owner", text: t.owner, isExact: true },
  { name: "Limit", text: `${usdc(t.limit)} USDC` },
  { name: "Limit of a payment", text: t.perPayment === null ? "None" : `${usdc(t.perPayment)} USDC` },
  { name: "Released", text: release(t) },
  { name: "Start", text: time(t.start) },
  { name: "End", text: time(t.end) },
  { name: "Service's key", text: t.signer, isExact: true },
  t.agent === null ? { name: "Agent's key", text: "None" } : { name: "Agent's key", text: t.agent, isExact: true },
  t.payees === null ? { name: "Payees", text: "Any" } : { name: "Payees (root)", text: t.payees, isExact: true },
  { name: "Mandate", text: t.mandate, isExact: true },
];
