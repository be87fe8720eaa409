import { usdcFault } from "@/components/ui/usdc-fault";
import { formatUsdc, parseUsdc, toUsdc } from "@/lib/core/usdc";
import { PASS_CALLS_MAX, PASS_HOURS_MAX } from "@/lib/links/passes/limits";
import type { PassOffer } from "@/lib/links/passes/terms";
import type { Faults, LinkDraft } from "./draft-types";

/** The form's inputs of a pass. */
export const PASS_FIELDS = [
  "passAmount",
  "passCalls",
  "passHours",
  "isPassByUse",
  "isPassRefundable",
] as const satisfies readonly (keyof LinkDraft)[];

type PassDraft = Pick<LinkDraft, (typeof PASS_FIELDS)[number]>;

export const passDraftOf = (pass: PassOffer | null = null): PassDraft => ({
  passAmount: pass ? formatUsdc(toUsdc(BigInt(pass.amount))) : "",
  passCalls: `${pass?.calls ?? ""}`,
  passHours: `${pass?.hours ?? ""}`,
  isPassByUse: pass?.isByUse ?? false,
  isPassRefundable: pass?.isRefundable ?? false,
});

type Reading = { type: "valid"; pass: PassOffer | null } | { type: "invalid"; faults: Faults };

/** The pass that is offered; null if nothing of it is typed. */
export function readPass(draft: PassDraft): Reading {
  const { passAmount, passHours, isPassByUse: isByUse, isPassRefundable: isRefundable } = draft;
  // Its input is not shown then.
  const passCalls = isByUse ? "" : draft.passCalls;
  if ([passAmount, passCalls, passHours].every((text) => text.trim() === "")) return { type: "valid", pass: null };
  const amount = parseUsdc(passAmount);
  const calls = readLimit(passCalls, PASS_CALLS_MAX);
  const hours = readLimit(passHours, PASS_HOURS_MAX);
  const faults: Faults = {
    ...(amount === null && { passAmount: usdcFault(passAmount) }),
    ...(calls === undefined && { passCalls: `Enter a whole number, at most ${PASS_CALLS_MAX.toLocaleString("en")}.` }),
    ...(hours === undefined && { passHours: `Enter a whole number, at most ${PASS_HOURS_MAX.toLocaleString("en")}.` }),
    ...(calls === null && hours === null && !isByUse && { passCalls: "Enter how many calls, or how many hours." }),
  };
  if (amount === null || calls === undefined || hours === undefined || Object.keys(faults).length > 0)
    return { type: "invalid", faults };
  return { type: "valid", pass: { calls, hours, isByUse, amount: amount.toString(), isRefundable } };
}

/** Null if nothing is typed; undefined if it is no number that a pass can have. */
function readLimit(typed: string, max: number): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : undefined;
}
