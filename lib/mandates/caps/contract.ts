import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import { amount, toUsdc } from "@/lib/core/money";
import * as sample from "@/lib/samples";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES } from "@/lib/x402/networks";
import { WAITING_MAX, windowUse } from "./rules";
import type { NetworkCap } from "./service";

export type { ExceededCap } from "@/lib/platform/summary";

const CAP_MAX = toUsdc(2n ** 96n - 1n);
const cap = amount.refine((value) => value <= CAP_MAX, "must be at most 2^96-1");

const windowView = z.object({
  cap: amount.describe("The most that may be spent in it"),
  usedAmount: amount.describe("Reserved or paid in it. The oldest hour or day counts in full"),
  remainingAmount: amount,
});

export const capView = z.object({
  network: z.enum(NETWORK_NAMES),
  agentId: agentId.nullable().describe("Whose spending it limits; null: all of the owner's"),
  last24Hours: windowView.nullable().describe("Null: no cap of 24 hours"),
  last30Days: windowView.nullable().describe("Null: no cap of 30 days"),
  waitingMax: z
    .int()
    .describe("How many payments above it may wait for the owner, for each agent. 0: they are refused"),
});
export type SpendingCapView = z.output<typeof capView>;

export function toCapView({ row, network }: NetworkCap, now: Date): SpendingCapView {
  const viewOf = (window: Parameters<typeof windowUse>[1]) => {
    const use = windowUse(row, window, now);
    return use && { cap: use.cap, usedAmount: use.usedAmount, remainingAmount: use.remainingAmount };
  };
  return {
    network,
    agentId: row.agentId,
    last24Hours: viewOf("24_hours"),
    last30Days: viewOf("30_days"),
    waitingMax: row.waitingMax,
  };
}

const ok = z.literal("ok");
const capExample = {
  network: sample.NETWORK,
  agentId: null,
  last24Hours: { cap: "20000000", usedAmount: "1500000", remainingAmount: "18500000" },
  last30Days: null,
  waitingMax: 3,
};

export const listSpendingCaps = endpoint({
  method: "GET",
  path: "/api/wallet/spending-caps",
  summary: "The owner's limits over all spending and on single agents, with what is left of each",
  description:
    "A cap counts what agents reserve and pay on a network in any 24 hours or 30 days, over mandates, vaults, single payments, payouts and credits together.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, caps: z.array(capView).describe("The owner's own first") }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, caps: [capExample] } } },
});

export const setSpendingCap = endpoint({
  method: "POST",
  path: "/api/wallet/spending-caps",
  summary:
    "Set a limit over all spending, or on one agent. What allows more than before needs a signature of the owner's wallet",
  description:
    "Replaces the limit of `network` and `agentId` (null: over everything). A cap that is null or left out does not exist afterwards. What was spent in the last 30 days counts at once; what is under way is not touched. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  work: 24,
  auth: "owner",
  surface: "wallet",
  body: withSignature.extend({
    network: networkText.default(DEFAULT_NETWORK),
    agentId: agentId.nullable().default(null),
    maxAmountPer24Hours: cap.nullable().default(null),
    maxAmountPer30Days: cap.nullable().default(null),
    waitingMax: z
      .int({ error: "must be an integer" })
      .min(0, "must be at least 0")
      .max(WAITING_MAX, `must be at most ${WAITING_MAX}`)
      .default(0),
  }),
  response: z.object({ status: ok, cap: capView.nullable().describe("Null: there is none now") }),
  errors: { agent_not_found: agentErrors.table.agent_not_found, ...confirmErrors },
  example: {
    request: { network: sample.NETWORK, maxAmountPer24Hours: "20000000", waitingMax: 3 },
    responses: { 200: { ...sample.OK, cap: capExample } },
  },
});
