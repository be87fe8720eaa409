import { parseUsdc, type Usdc } from "@/lib/core/usdc";

export type Draft = { isInParts: boolean; amount: string; seconds: string; payees: string };
export type Fault = { field: "amount" | "payees" | "form"; text: string };
export type Change = { release: { amount: Usdc; seconds: number } | null; payees: string[] | null };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The change of a vault's terms as typed, or a fault. The API validates the rest. */
export function adjusted(draft: Draft): { type: "valid"; change: Change } | { type: "invalid"; fault: Fault } {
  const amount = draft.isInParts ? parseUsdc(draft.amount) : null;
  if (draft.isInParts && amount === null)
    return { type: "invalid", fault: { field: "amount", text: "Enter an amount above zero, for example, 5.00." } };
  const payees = draft.payees.split(/[\s,]+/).filter(Boolean);
  const wrong = payees.find((payee) => !ADDRESS.test(payee));
  if (wrong !== undefined)
    return {
      type: "invalid",
      fault: { field: "payees", text: `${wrong} is not an address: 0x and 40 hexadecimal digits.` },
    };
  const uniqueAddresses = new Set(payees.map((payee) => payee.toLowerCase()));
  if (uniqueAddresses.size < payees.length)
    return { type: "invalid", fault: { field: "payees", text: "An address is listed twice." } };
  return {
    type: "valid",
    change: {
      release: amount === null ? null : { amount, seconds: Number(draft.seconds) },
      payees: payees.length === 0 ? null : payees,
    },
  };
}

type Terms = { release: { amount: bigint; seconds: number } | null; payees: readonly string[] | null };

/** True if a change leaves the vault's terms as they are. Ignores the case of addresses. */
export function isSame(change: Terms, terms: Terms): boolean {
  const text = ({ release, payees }: Terms) =>
    JSON.stringify([
      release && [String(release.amount), release.seconds],
      payees?.map((payee) => payee.toLowerCase()).toSorted(),
    ]);
  return text(change) === text(terms);
}
