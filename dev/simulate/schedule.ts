import type { NetworkName } from "@/lib/x402/networks";
import { type Random, randomOf } from "./random";

/** Weights of the draws. The report counts each group; a long run fails if a kind never happens. */
export const BUYERS = {
  buy: 14,
  rush: 4,
  buy_twice: 4,
  present_again: 5,
  mandate_buy: 5,
  mandate_abroad: 3,
  undeployed_buy: 4,
} as const;
export const HOSTILE = {
  empty_wallet: 3,
  funded_later: 4,
  overdraw: 4,
  drain: 4,
  resell: 3,
  double_nonce: 4,
  front_run: 4,
  cancel: 4,
  cancel_undone: 2,
  front_run_undone: 2,
  front_run_hidden: 2,
  abroad_undone: 2,
  junk_signature: 2,
  long_validity: 2,
  not_yet_valid: 3,
  liar: 3,
  padded: 2,
  burner: 2,
  turncoat: 3,
  underpay: 1,
  precompile: 1,
  undeployed_harm: 4,
  session_thief: 3,
} as const;
/** Servers outside the service that sell through the facilitator. */
export const SELLERS = {
  settle: 5,
  settle_again: 4,
  settle_race: 4,
  settle_drained: 4,
  settle_shown: 4,
  settle_conflict: 4,
} as const;
export const OWNERS = {
  payout: 4,
  split_payout: 4,
  starved_payout: 2,
  refund: 6,
  refund_shown: 2,
  refund_undone: 2,
  deposit: 3,
  withdraw: 1,
  cap_rush: 4,
  disable_link: 1,
} as const;
/** Mandates with a vault. */
export const VAULTS = {
  vault_open: 3,
  vault_open_undone: 2,
  vault_open_starved: 2,
  vault_buy: 5,
  vault_overdraw: 3,
  vault_padded: 2,
  vault_abroad_undone: 2,
  vault_gift: 1,
  vault_revoke: 3,
  vault_exit: 2,
  vault_refund: 3,
} as const;
/** Calls of a seller's API, paid one by one or with a pass. */
export const CALLS = {
  call: 3,
  call_at_once: 2,
  call_elsewhere: 2,
  call_killed: 1,
  pass_rush: 3,
  pass_killed: 1,
  pass_worn: 2,
  pass_refund: 4,
} as const;
export const CHAIN = { reorganise: 5, drop_pool: 4, raise_fee: 3, stand_still: 2, skew: 2 } as const;
export const NODE = {
  slow: 2,
  silent: 3,
  lose_replies: 3,
  lag: 3,
  false_head: 2,
  unknown_words: 3,
  refuse_calls: 3,
  small_range: 2,
  hide_logs: 3,
  forget: 3,
  submit_shown: 3,
} as const;
export const SERVERS = { kill: 3, kill_at_failpoint: 3, cut_database: 2 } as const;

const GROUPS = { BUYERS, HOSTILE, SELLERS, OWNERS, VAULTS, CALLS, CHAIN, NODE, SERVERS } as const;
type Group = keyof typeof GROUPS;
export type Act = { [G in Group]: keyof (typeof GROUPS)[G] }[Group] | "mine";

export const ACTS: readonly Act[] = Object.values(GROUPS).flatMap((group) => Object.keys(group) as Act[]);

export type Step = {
  act: Act;
  /** Indices into the cast's lists, modulo their length. */
  payer: number;
  seller: number;
  /** Index of the seller's link; -1 for the agent's UPL. */
  link: number;
  /** Atomic USDC, for anything without a price. */
  amount: number;
  /** A count, a depth or a number of steps, depending on the act. */
  count: number;
  /** The wait before the next step. */
  pauseMs: number;
};

export type LinkPlan = { price: number; maxUses: number | null; network: NetworkName };
export type Plan = {
  seed: number;
  /** Whether Base Sepolia has sales too. */
  isAbroad: boolean;
  sellers: LinkPlan[][];
  payers: number;
  steps: Step[];
};

/** A world and its steps, derived from the seed alone. */
export function planOf(seed: number): Plan {
  const random = randomOf(seed);
  const isAbroad = random.chance(0.15);
  const sellers = Array.from({ length: random.int(1, 2) }, () =>
    Array.from({ length: random.int(1, 3) }, (): LinkPlan => {
      const [price, maxUses] = [random.int(10, 60) * 1_000, random.chance(0.65) ? random.int(1, 3) : null];
      return { price, maxUses, network: isAbroad && random.chance(0.7) ? "base-sepolia" : "base" };
    }),
  );
  const payers = random.int(2, 4);
  const moods: Partial<Record<Group, number>> = {
    BUYERS: 10,
    HOSTILE: 9,
    SELLERS: 4,
    OWNERS: 5,
    VAULTS: 4,
    CALLS: 2,
    CHAIN: 4,
    ...(random.chance(0.6) && { NODE: 5 }),
    ...(random.chance(0.3) && { SERVERS: 2 }),
  };
  // Consecutive seeds cycle through all acts, however rarely they are drawn, from two offsets, so that sixty seeds contain each.
  const turn = (offset: number) => ACTS[(seed + offset) % ACTS.length] ?? "buy";
  const inTurn: Act[] = ["buy", turn(0), turn(Math.floor(ACTS.length / 2))];
  const steps: Step[] = inTurn.map((act) => stepOf(random, act));
  const length = random.int(14, 22);
  while (steps.length < length) {
    steps.push(stepOf(random, actOf(random, moods)));
    if (random.chance(0.55)) steps.push(stepOf(random, "mine"));
  }
  return { seed, isAbroad, sellers, payers, steps };
}

function actOf(random: Random, moods: Partial<Record<Group, number>>): Act {
  const group = random.weighted<Group>(moods);
  return random.weighted<Act>(GROUPS[group] as Partial<Record<Act, number>>);
}

const stepOf = (random: Random, act: Act): Step => ({
  act,
  payer: random.int(0, 11),
  seller: random.int(0, 3),
  link: random.int(-1, 5),
  amount: random.int(10, 90) * 1_000,
  count: random.int(1, 3),
  pauseMs: act === "mine" ? random.pick([20, 40, 80]) : random.pick([0, 0, 15, 40]),
});

/** One line per step, to read a failing seed. */
export const describePlan = ({ seed, sellers, payers, steps }: Plan): string =>
  [
    `seed ${seed}: ${payers} honest payers, sellers ${JSON.stringify(sellers)}`,
    ...steps.map(({ act, pauseMs, ...step }, index) => {
      const about =
        act === "mine"
          ? `count ${step.count}`
          : Object.entries(step)
              .map((entry) => entry.join(" "))
              .join(", ");
      return `  ${String(index).padStart(2)}. ${act} (${about}), then ${pauseMs} ms`;
    }),
  ].join("\n");
