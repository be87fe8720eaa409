import { z } from "zod";
import { hostText } from "@/lib/core/host-text";
import { limitAmount } from "@/lib/core/money";
import { isVisible, shownText } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { DEFAULT_NETWORK, NETWORK_LIST } from "@/lib/x402/networks";
import { vaultProposal } from "./vaults/schemas";

/** What an agent proposes, and the fields of it that an owner can narrow. */

export const HOSTS_MAX = 100;
export const PURPOSE_MAX = 2000;
export const CATEGORY_MAX = 64;
export const YEAR_SECONDS = 31_536_000;

const purpose = shownText({
  max: PURPOSE_MAX,
  hasLines: true,
  error: "must be the purpose of the mandate in words",
})
  .refine(isVisible, "must say what the mandate is for")
  .describe("What the money is for, in words that the user understands");

/** An empty list means any host, like an absent one: one live client always sends it. */
export const hostList = z
  .array(hostText, { error: "must be a list of hosts" })
  .max(HOSTS_MAX, `must have at most ${HOSTS_MAX} hosts`)
  .describe("Hosts that it may pay, and `payout` for payouts; empty: any")
  .nullable()
  .transform((hosts) => (hosts && hosts.length > 0 ? [...new Set(hosts)] : null));

/** In whole seconds, because the account signs whole seconds. */
export const wholeSeconds = isoDate.transform((time) => new Date(Math.floor(time.getTime() / 1000) * 1000));

export const intent = z.object(
  {
    naturalLanguage: purpose,
    category: shownText({ max: CATEGORY_MAX, error: "must be a short label" })
      .refine((text) => text === "" || isVisible(text), "must not be blank")
      .nullish()
      .transform((text) => text || null),
    currency: z.string({ error: "must be USDC" }).default("USDC"),
    // Why: docs/decisions.md, 10.
    network: z.string({ error: "must be a network's name" }).describe(NETWORK_LIST).default(DEFAULT_NETWORK),
    limitAmount,
    maxAmountPerPayment: limitAmount.nullish().transform((cap) => cap ?? null),
    maxAmountPerDay: limitAmount
      .describe("The most it may pay on one calendar day (UTC), in atomic USDC")
      .nullish()
      .transform((cap) => cap ?? null),
    maxAmountPerMonth: limitAmount
      .describe("The most it may pay in one calendar month (UTC), in atomic USDC")
      .nullish()
      .transform((cap) => cap ?? null),
    validForSeconds: z
      .int({ error: "must be an integer number of seconds" })
      .min(1, "must be at least 1")
      .max(YEAR_SECONDS, "must be at most 31536000, one year"),
    hostAllowlist: hostList.optional().transform((hosts) => hosts ?? null),
    // An agent can propose the confirmation, and cannot choose for its owner that there is none.
    confirmPayees: z
      .boolean({ error: "must be true or false" })
      .describe("Confirm each new payTo with its host, or with the user")
      .nullish()
      .transform((isProposed) => isProposed || null),
    vault: vaultProposal
      .describe("What the contract keeps as well, if the user signs with a vault")
      .nullish()
      .transform((proposal) => proposal ?? null),
  },
  { error: "must be an object" },
);

export type Intent = z.output<typeof intent>;
