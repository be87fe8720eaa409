/** At most `requests` in every window of `seconds`. */
export type Limit = { requests: number; seconds: number };

/** The rate limits and what they are unless RATE_LIMITS says otherwise. */
export const DEFAULT_LIMITS = {
  register_per_address: { requests: 30, seconds: 60 },
  refresh_per_address: { requests: 120, seconds: 60 },
  refresh_per_agent: { requests: 30, seconds: 60 },
  verify_per_address: { requests: 600, seconds: 60 },
  /** Far more than one address may ask: whoever was shown an agent's credential can use these up for everybody. */
  verify_per_agent: { requests: 6000, seconds: 60 },
  issue_per_agent: { requests: 600, seconds: 60 },
  /** How many payments an agent may ask its owner to approve in the life of an approval: what it can put before a person. */
  approval_per_agent: { requests: 20, seconds: 600 },
  /** How many payouts an agent may make: what it can put before a person, and have us pay the gas of. */
  payout_per_agent: { requests: 120, seconds: 3600 },
  /** How many payouts an owner may make, a file's rows each counted: we pay the gas of those too. */
  payout_per_owner: { requests: 1000, seconds: 3600 },
  /** Of payouts that are asked for by name without a login: names can be guessed. */
  payout_status_per_address: { requests: 600, seconds: 60 },
  balance_per_address: { requests: 120, seconds: 60 },
  visit_per_address: { requests: 120, seconds: 60 },
  /** How many visits of a link are kept: what strangers can make us store. */
  visit_per_link: { requests: 10_000, seconds: 86_400 },
  /** Signed cancellations of payments: the relayer pays their gas. */
  cancellation_per_address: { requests: 30, seconds: 60 },
  refusal_per_link: { requests: 60, seconds: 60 },
  /** Test events and replays: what an owner can have us send at once. */
  webhook_per_owner: { requests: 60, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as LimitName[];
