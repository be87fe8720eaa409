import { toUsdc } from "./usdc";

/** At most `requests` in every window of `seconds`. */
export type Limit = { requests: number; seconds: number };

/**
 * An owner who has moved less than this on Base is a stranger. A self-payment to pass for a customer costs the relayer about a cent of
 * gas.
 */
export const STRANGER_BELOW = toUsdc(1_000_000n);

/** Bytes per turn of the limits on stored bytes. */
export const STORED_UNIT_BYTES = 1_000;

/**
 * The unit of work is one `GET /healthz`, the cheapest call: 0.64 ms of CPU on the machine measured in docs/operations.md. A minute's
 * work is 5 % of such a core.
 */
const WORK_A_MINUTE = 4_000;

/** Extra work of a refused payment proof, which may have cost a call to a node. */
export const REFUSED_PROOF_WORK = 60;

/** The rate limits. RATE_LIMITS overrides these defaults. */
export const DEFAULT_LIMITS = {
  register_per_address: { requests: 30, seconds: 60 },
  /**
   * Apps that register to connect by OAuth. Each one is a row until it is connected, or for a month. Hosts register one for each of their
   * users, from few addresses.
   */
  app_per_address: { requests: 300, seconds: 3600 },
  /** Apps that an owner connects. */
  connection_per_owner: { requests: 30, seconds: 3600 },
  /** Refreshes of one connection. Access tokens live for an hour; several programs of an owner may share a connection. */
  app_refresh_per_connection: { requests: 60, seconds: 3600 },
  /** Metadata documents of apps that are fetched for an owner. Their URLs are strangers'. */
  app_document_per_owner: { requests: 30, seconds: 600 },
  refresh_per_address: { requests: 120, seconds: 60 },
  refresh_per_agent: { requests: 30, seconds: 60 },
  /** New tokens created by the agent. Its owner has the same limit separately. */
  rotate_per_agent: { requests: 10, seconds: 3600 },
  /** Far above the limit per address: any verifier that holds an agent's credential can exhaust this limit for all others. */
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
  /** Refunds of one payment: a refund can be as small as one atomic unit. */
  refund_per_payment: { requests: 20, seconds: 86_400 },
  /** Challenges to sign and signatures to check. The signature of a contract account costs a call to the chain. */
  confirmation_per_owner: { requests: 600, seconds: 600 },
  /** Email addresses that an owner enters: each receives a mail, even if it belongs to somebody else. */
  email_per_owner: { requests: 5, seconds: 3600 },
  /** Email addresses that all owners at one client address enter: anybody can become an owner. */
  email_per_address: { requests: 10, seconds: 3600 },
  /** Entries of one email address by all owners: it may belong to a stranger. */
  email_per_recipient: { requests: 3, seconds: 86_400 },
  /** Browsers that an owner adds for notices: each receives a notice, at a URL that the browser supplies. */
  browser_per_owner: { requests: 20, seconds: 3600 },
  /** Browsers that all owners at one client address add. */
  browser_per_address: { requests: 60, seconds: 3600 },
  /** Event streams that an owner's pages open. Each page holds one and reopens it when it breaks. */
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
  /** Mandates requested by agents without an owner, which anybody can register. */
  draft_per_address: { requests: 120, seconds: 3600 },
  /** Mandates that an owner signs with a vault: the relayer pays the gas of opening and funding it. */
  vault_opening_per_owner: { requests: 20, seconds: 86_400 },
  /** Bytes stored in a day for a caller who does not pay, in units of STORED_UNIT_BYTES. Owners who have moved money are exempt. */
  stored_kb_per_address: { requests: 100_000, seconds: 86_400 },
  stored_kb_per_agent: { requests: 50_000, seconds: 86_400 },
  stored_kb_per_owner: { requests: 100_000, seconds: 86_400 },
  /** Checks of a domain's proof: each sends a request and a DNS query. */
  domain_check_per_owner: { requests: 30, seconds: 3600 },
  /** Logos that an owner uploads. */
  logo_per_owner: { requests: 30, seconds: 3600 },
  /** Rows about an agent's refused payments. Further refusals are counted in one row per day, mandate and reason. */
  refusal_row_per_agent: { requests: 300, seconds: 86_400 },
  /** Files and images that an owner uploads for links. */
  file_per_owner: { requests: 60, seconds: 3600 },
  /** Files and images uploaded from one address: anybody can become an owner. */
  upload_per_address: { requests: 120, seconds: 3600 },
  /** Downloads of purchased files: each reads up to 10 MB from the database. */
  file_per_address: { requests: 60, seconds: 60 },
  /** Images of links: each reads up to 1 MB from the database. Browsers cache them. */
  image_per_address: { requests: 300, seconds: 60 },
  link_per_agent: { requests: 600, seconds: 3600 },
  /**
   * Work of one address over all endpoints, in units of `GET /healthz`; each call costs the `work` of its contract. 5 % of a core.
   * Owners who have moved money are exempt.
   */
  work_per_address: { requests: WORK_A_MINUTE, seconds: 60 },
  /** Work of verifying tokens at /mcp that this process has not seen valid lately, and of the token endpoint. */
  login_work_per_address: { requests: WORK_A_MINUTE, seconds: 60 },
  /** Work at /mcp of all agents of one owner, or of an agent without one. Hosts connect for thousands of users from few addresses. */
  mcp_work_per_party: { requests: WORK_A_MINUTE, seconds: 60 },
  /** Work at /mcp of all parties of an address: agents and owners cost nothing, so limits per party alone would not bound it. */
  mcp_work_per_address: { requests: 5 * WORK_A_MINUTE, seconds: 60 },
  /** CSV downloads: each reads thousands of rows and takes up to a second of CPU. */
  download_per_address: { requests: 20, seconds: 600 },
  /** Requests to /mcp. A tool's call also counts under the limits of its endpoint. */
  mcp_per_agent: { requests: 600, seconds: 60 },
  /** Requests to URLs that an agent named. */
  outbound_per_agent: { requests: 120, seconds: 60 },
  /** Such requests by agents less than a day old whose owners have moved no money, per client address: both cost nothing. */
  outbound_per_address: { requests: 300, seconds: 600 },
  /** Requests to one receiving host, shared by all agents. */
  outbound_per_host: { requests: 600, seconds: 60 },
  /** Sites whose offers are read for an owner: three requests, up to 6 MB to parse and 40 ms of the firewall each. */
  site_per_owner: { requests: 30, seconds: 600 },
  /** Requests that owners send to their own upstreams without a payment. */
  test_call_per_owner: { requests: 60, seconds: 600 },
  /** Answers of a link's upstream that are kept for buyers who lose them, in KB. */
  kept_kb_per_link: { requests: 51_200, seconds: 3600 },
  /** OpenAPI documents that are read for an owner: two requests and up to 2 MB to parse, in two documents. */
  document_per_owner: { requests: 30, seconds: 600 },
  /** Searches by an owner: each compares thousands of rows. */
  search_per_owner: { requests: 120, seconds: 60 },
  faucet_per_address: { requests: 60, seconds: 60 },
  /** Discovery requests: each compares up to ten thousand listings. */
  discovery_per_address: { requests: 60, seconds: 60 },
  /** Payment proofs received from one address: each costs a simulation, and a valid one a transfer. */
  payment_per_address: { requests: 600, seconds: 60 },
  /** Payment proofs of payers with code, from one address: each needs its own transaction, and a block has room for fifteen. */
  contract_payment_per_address: { requests: 20, seconds: 10 },
  /** Payment proofs signed by one payer. */
  payment_per_payer: { requests: 300, seconds: 60 },
  /** Work of pages, in the same units. Separate, so that a person's pages do not use up the calls of an agent at the same address. */
  page_work_per_address: { requests: WORK_A_MINUTE, seconds: 60 },
  /** Preview pictures of links. */
  picture_per_address: { requests: 60, seconds: 60 },
  /**
   * Preview pictures that are not cached and must be drawn: each takes up to half a second of CPU. Above the limit, the plain picture
   * is sent.
   */
  picture_drawing_per_address: { requests: 6, seconds: 60 },
  visit_per_address: { requests: 100, seconds: 60 },
  /** Stored visits of a link: strangers can create them. */
  visit_per_link: { requests: 10_000, seconds: 86_400 },
  /** Signed cancellations of payments: the relayer pays their gas. */
  cancellation_per_address: { requests: 30, seconds: 60 },
  /** Reports of addresses on a list of the operator by mistake: each is a row that a person reads. */
  report_per_address: { requests: 10, seconds: 3600 },
  refusal_per_link: { requests: 60, seconds: 60 },
  /** Settlements with all API keys of one owner: the relayer pays their gas. Each key also has its own limit. */
  facilitator_settle_per_owner: { requests: 10_000, seconds: 86_400 },
  /** Test events and replays that an owner sends. */
  webhook_per_owner: { requests: 60, seconds: 60 },
  /** Test events and replays to one host: shared by all owners while their webhooks are unverified, per owner once verified. */
  webhook_per_host: { requests: 30, seconds: 60 },
  /** Events to one unverified host, shared by all owners. */
  unverified_webhook_per_host: { requests: 60, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS) as LimitName[];
