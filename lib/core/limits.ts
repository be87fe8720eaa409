/** At most `requests` in every window of `seconds`. */
export type Limit = { requests: number; seconds: number };

/** The rate limits and what they are unless RATE_LIMITS says otherwise. */
export const DEFAULT_LIMITS = {
  register_per_address: { requests: 30, seconds: 60 },
  refresh_per_address: { requests: 120, seconds: 60 },
  refresh_per_agent: { requests: 30, seconds: 60 },
  /** New tokens that an agent may make, and as many that its owner may. */
  rotate_per_agent: { requests: 10, seconds: 3600 },
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
  /** Challenges to sign and signatures to check: a contract account is asked on the chain. */
  confirmation_per_owner: { requests: 600, seconds: 600 },
  /** Of payouts that are asked for by name without a login: names can be guessed. */
  payout_status_per_address: { requests: 600, seconds: 60 },
  /** Sign-in nonces: each is a row for ten minutes. */
  nonce_per_address: { requests: 60, seconds: 60 },
  sign_in_per_address: { requests: 30, seconds: 60 },
  /** Sign-ins that only a contract account can confirm: each is a call to the chain. */
  contract_sign_in_per_address: { requests: 10, seconds: 60 },
  /** Accounts that sign in for the first time. */
  new_owner_per_address: { requests: 60, seconds: 3600 },
  /** Mandates an agent may ask for: what it can put before its owner. */
  intent_per_agent: { requests: 60, seconds: 3600 },
  /** The same for agents without an owner, which anybody can register. */
  draft_per_address: { requests: 120, seconds: 3600 },
  link_per_agent: { requests: 600, seconds: 3600 },
  /** Public facts: settlements, receipts, agents, prices. */
  read_per_address: { requests: 1200, seconds: 60 },
  faucet_per_address: { requests: 60, seconds: 60 },
  /** Payment proofs that one address presents: each costs a simulation, and a good one a transfer. */
  payment_per_address: { requests: 600, seconds: 60 },
  /** Of these, proofs of payers with code: each has a transaction to itself, and a block has room for fifteen. */
  contract_payment_per_address: { requests: 20, seconds: 10 },
  /** Payment proofs whose signature is this payer's. */
  payment_per_payer: { requests: 300, seconds: 60 },
  balance_per_address: { requests: 120, seconds: 60 },
  visit_per_address: { requests: 120, seconds: 60 },
  /** How many visits of a link are kept: what strangers can make us store. */
  visit_per_link: { requests: 10_000, seconds: 86_400 },
  /** Signed cancellations of payments: the relayer pays their gas. */
  cancellation_per_address: { requests: 30, seconds: 60 },
  refusal_per_link: { requests: 60, seconds: 60 },
  /** Test events and replays: what an owner can have us send at once. */
  webhook_per_owner: { requests: 60, seconds: 60 },
  /** The same for one receiving host: of all owners together while their webhooks are not verified, of each owner once they are. */
  webhook_per_host: { requests: 30, seconds: 60 },
  /** Events to one host that has not been verified, of all owners together. */
  unverified_webhook_per_host: { requests: 60, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as LimitName[];
