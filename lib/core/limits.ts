import { toUsdc } from "./usdc";

/** At most `requests` in every window of `seconds`. */
export type Limit = { requests: number; seconds: number };

/** A stranger has moved less than one USDC on Base. Whoever pays themselves to pass for a customer costs us about a cent of gas. */
export const STRANGER_BELOW = toUsdc(1_000_000n);

/** What one turn of the limits of stored bytes stands for. */
export const STORED_UNIT_BYTES = 1_000;

/**
 * Work is counted in calls of `GET /healthz`, the cheapest there is: 0.64 ms of CPU on the machine of the table of costs in
 * docs/operations.md. A minute's work is 5 % of such a core.
 */
const WORK_A_MINUTE = 4_000;

/** What a payment proof that is refused takes besides: it may have cost a call of a node. */
export const REFUSED_PROOF_WORK = 60;

/** The rate limits. RATE_LIMITS overrides these defaults. */
export const DEFAULT_LIMITS = {
  register_per_address: { requests: 30, seconds: 60 },
  refresh_per_address: { requests: 120, seconds: 60 },
  refresh_per_agent: { requests: 30, seconds: 60 },
  /** New tokens created by the agent. Its owner has the same limit separately. */
  rotate_per_agent: { requests: 10, seconds: 3600 },
  /** Far above what one address may verify: any verifier that knows an agent's credential can use up this one for all others. */
  verify_per_agent: { requests: 6000, seconds: 60 },
  issue_per_agent: { requests: 600, seconds: 60 },
  /** Agents created by their owner. Anybody can register one without an owner, but it has to be linked. */
  agent_per_owner: { requests: 20, seconds: 3600 },
  /** Payments that an agent sends to its owner for approval within the lifetime of an approval. Each one requires a person's attention. */
  approval_per_agent: { requests: 20, seconds: 600 },
  /** Payouts created by an agent: each one may need a person's approval, and the relayer pays its gas. */
  payout_per_agent: { requests: 120, seconds: 3600 },
  /** Payouts created by an owner, counting each row of a file: the relayer pays their gas. */
  payout_per_owner: { requests: 1000, seconds: 3600 },
  /** Refunds that an agent or owner requests: each waits for the owner's attention, and the relayer pays the gas of its transfer. */
  refund_per_party: { requests: 60, seconds: 3600 },
  /** The same for one payment, in which a refund can be as small as one unit. */
  refund_per_payment: { requests: 20, seconds: 86_400 },
  /** Challenges to sign and signatures to check. The signature of a contract account costs a call to the chain. */
  confirmation_per_owner: { requests: 600, seconds: 600 },
  /** New addresses for mail: each gets one, also if it is somebody else's. */
  email_per_owner: { requests: 5, seconds: 3600 },
  /** The same for all owners of one client: anybody can become an owner. */
  email_per_address: { requests: 10, seconds: 3600 },
  /** The same for one mailbox, whoever enters it: it may be a stranger's. */
  email_per_recipient: { requests: 3, seconds: 86_400 },
  /** Browsers that an owner adds for notices: each gets one, at an address that the browser names. */
  browser_per_owner: { requests: 20, seconds: 3600 },
  /** The same for all owners of one client. */
  browser_per_address: { requests: 60, seconds: 3600 },
  /** Streams of events that an owner's pages open. Each page needs one, and opens it again when it breaks. */
  stream_per_owner: { requests: 120, seconds: 60 },
  /** Sign-in nonces. Each one is stored for ten minutes. */
  nonce_per_address: { requests: 60, seconds: 60 },
  sign_in_per_address: { requests: 30, seconds: 60 },
  /** Sign-ins of contract accounts: each is a call to the chain. */
  contract_sign_in_per_address: { requests: 10, seconds: 60 },
  /** First sign-ins of new accounts. */
  new_owner_per_address: { requests: 60, seconds: 3600 },
  /** Mandates requested by an agent: its owner has to review each one. */
  intent_per_agent: { requests: 60, seconds: 3600 },
  /** The same for agents without an owner: anybody can register one. */
  draft_per_address: { requests: 120, seconds: 3600 },
  /** Mandates that an owner signs with a vault: the relayer pays the gas of opening and funding it. */
  vault_opening_per_owner: { requests: 20, seconds: 86_400 },
  /**
   * What a caller has the service store in a day without paying, in units of STORED_UNIT_BYTES. Owners whose money has moved are not
   * limited.
   */
  stored_kb_per_address: { requests: 100_000, seconds: 86_400 },
  stored_kb_per_agent: { requests: 50_000, seconds: 86_400 },
  stored_kb_per_owner: { requests: 100_000, seconds: 86_400 },
  /** Looks for the proof of a domain, each a request and a DNS query. */
  domain_check_per_owner: { requests: 30, seconds: 3600 },
  /** Logos that an owner uploads. */
  logo_per_owner: { requests: 30, seconds: 3600 },
  /** Rows about refused payments of an agent. Further ones are counted in one row for the day, mandate and reason. */
  refusal_row_per_agent: { requests: 300, seconds: 86_400 },
  /** Files and images that an owner uploads for links. */
  file_per_owner: { requests: 60, seconds: 3600 },
  /** The same for one address: anybody can become an owner. */
  upload_per_address: { requests: 120, seconds: 3600 },
  /** Downloads of purchased files: each reads up to 10 MB from the database. */
  file_per_address: { requests: 60, seconds: 60 },
  /** Images of links: each reads up to 1 MB from the database. Browsers keep them. */
  image_per_address: { requests: 300, seconds: 60 },
  link_per_agent: { requests: 600, seconds: 3600 },
  /**
   * What the calls of one address cost, all endpoints together, in calls of `GET /healthz`: each takes as many as its contract says. 5 % of a
   * core. Owners whose money has moved are not limited.
   */
  work_per_address: { requests: WORK_A_MINUTE, seconds: 60 },
  /** Lists as CSV: each reads some thousands of rows and takes up to a second of CPU. */
  download_per_address: { requests: 20, seconds: 600 },
  /** Requests to /mcp. What a tool does counts again under the limits of its endpoint. */
  mcp_per_agent: { requests: 600, seconds: 60 },
  /** Requests to URLs that an agent named. */
  outbound_per_agent: { requests: 120, seconds: 60 },
  /** The same for all agents of one client that are younger than a day: anybody can register them. */
  outbound_per_address: { requests: 60, seconds: 600 },
  /** The same for one receiving host, shared by all agents. */
  outbound_per_host: { requests: 600, seconds: 60 },
  /** Searches by an owner: each compares some thousands of rows. */
  search_per_owner: { requests: 120, seconds: 60 },
  faucet_per_address: { requests: 60, seconds: 60 },
  /** Lists of what is for sale: each compares up to ten thousand listings. */
  discovery_per_address: { requests: 60, seconds: 60 },
  /** Payment proofs received from one address: each costs a simulation, and a valid one a transfer. */
  payment_per_address: { requests: 600, seconds: 60 },
  /** The share of these from payers with code: each one needs its own transaction, and a block has room for fifteen. */
  contract_payment_per_address: { requests: 20, seconds: 10 },
  /** Payment proofs signed by one payer. */
  payment_per_payer: { requests: 300, seconds: 60 },
  /** The same for pages. A person's pages leave an agent at the same address its calls. */
  page_work_per_address: { requests: WORK_A_MINUTE, seconds: 60 },
  /** Pictures of links for previews. */
  picture_per_address: { requests: 60, seconds: 60 },
  /** Those that are not kept and have to be drawn: each costs up to half a second of CPU. Above it the plain one is sent. */
  picture_drawing_per_address: { requests: 6, seconds: 60 },
  visit_per_address: { requests: 100, seconds: 60 },
  /** Stored visits of a link: strangers can create them. */
  visit_per_link: { requests: 10_000, seconds: 86_400 },
  /** Signed cancellations of payments: the relayer pays their gas. */
  cancellation_per_address: { requests: 30, seconds: 60 },
  refusal_per_link: { requests: 60, seconds: 60 },
  /** Settlements with all API keys of one owner: the relayer pays their gas. Each key has a limit of its own. */
  facilitator_settle_per_owner: { requests: 10_000, seconds: 86_400 },
  /** Test events and replays that an owner sends. */
  webhook_per_owner: { requests: 60, seconds: 60 },
  /** The same for one receiving host: shared by all owners while their webhooks are unverified, per owner once verified. */
  webhook_per_host: { requests: 30, seconds: 60 },
  /** Events to one unverified host, shared by all owners. */
  unverified_webhook_per_host: { requests: 60, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as LimitName[];
