/**
 * The display texts of each EIP-712 message, for pages and for the ERC-7730 descriptors. Members are in the order in which a
 * wallet should show them.
 */

/** A field format of ERC-7730. */
export type Format = "raw" | "addressName" | "tokenAmount" | "date" | "duration";

type Member = { readonly label: string; readonly format: Format };
export type MessageWords = {
  readonly intent: string;
  /** The sentence that the wallet shows; `{member}` is replaced by the formatted value. */
  readonly sentence: string;
  readonly members: Readonly<Record<string, Member>>;
};

const as =
  (format: Format) =>
  (label: string): Member => ({ label, format });
const raw = as("raw");
const address = as("addressName");
const usdc = as("tokenAmount");
const date = as("date");
const duration = as("duration");

/** Members of every message that answers a challenge of the service. A challenge can be used once. */
const CHALLENGE = {
  owner: address("Your account"),
  deadline: date("Sign before"),
  nonce: raw("Number of the challenge"),
};
const TIMES = { validAfter: date("Not before"), validBefore: date("Not after") };
const RECIPIENTS = { "recipients.to": address("To"), "recipients.amount": raw("Amount") };

export const MESSAGES = {
  SpendingMandate: {
    intent: "Allow an agent to spend",
    sentence: "Allow agent {agentId} to spend up to {limitAmount} in total until {validUntil}",
    members: {
      limitAmount: usdc("At most, in total"),
      maxAmountPerPayment: usdc("At most per payment (0: no cap)"),
      maxAmountPerDay: usdc("At most per day in UTC (0: no cap)"),
      maxAmountPerMonth: usdc("At most per month in UTC (0: no cap)"),
      validFrom: date("From"),
      validUntil: date("Until"),
      hostAllowlist: raw("May pay (empty: any host)"),
      confirmPayees: raw("You confirm new payees"),
      category: raw("Category"),
      naturalLanguage: raw("Purpose, as stated"),
      agentId: raw("Agent"),
      releaseAmount: usdc("Released each period (0: all at once)"),
      releaseSeconds: duration("Length of a period"),
      payees: address("Payees (empty: any address)"),
      agentKey: address("Agent’s own key (zero: none)"),
      signer: address("Signs the payments"),
      wallet: address("Paid from"),
      vaultFactory: address("Contract that opens the vault"),
      owner: address("Your account"),
      asset: address("Currency"),
      mandateId: raw("Mandate"),
    },
  },
  Revocation: {
    intent: "End a mandate for good",
    sentence: "End mandate {mandate} for good and send the money of its vault to its owner",
    members: { mandate: raw("Hash of the mandate") },
  },
  TransferWithAuthorization: {
    intent: "Pay",
    sentence: "Pay {value} to {to}",
    members: {
      value: usdc("Amount"),
      to: address("To"),
      from: address("From"),
      ...TIMES,
      nonce: raw("Number of the payment"),
    },
  },
  ReceiveWithAuthorization: {
    intent: "Pay into a contract",
    sentence: "Pay {value} into {to}",
    members: {
      value: usdc("Amount"),
      to: address("To"),
      from: address("From"),
      ...TIMES,
      nonce: raw("Number of the payment (a vault’s: hash of its mandate)"),
    },
  },
  Permit: {
    intent: "Allow to draw",
    sentence: "Allow {spender} to draw up to {value} from {owner}",
    members: {
      value: usdc("At most, in total"),
      spender: address("May draw"),
      owner: address("From"),
      deadline: date("Submitted not after"),
      nonce: raw("Number of the permit"),
    },
  },
  CancelAuthorization: {
    intent: "Cancel a payment",
    sentence: "Cancel payment {nonce} of {authorizer}",
    members: { authorizer: address("From"), nonce: raw("Number of the payment") },
  },
  NewPayout: {
    intent: "Pay out",
    sentence: "Pay out {total} on {network}",
    members: {
      total: raw("Total"),
      network: raw("Network"),
      ...RECIPIENTS,
      payoutId: raw("Payout"),
      ...CHALLENGE,
    },
  },
  PayoutApproval: {
    intent: "Approve a payout",
    sentence: "Approve a payout of {total} on {network}",
    members: {
      total: raw("Total"),
      network: raw("Network"),
      ...RECIPIENTS,
      payoutRecordId: raw("Payout"),
      payoutId: raw("The agent’s number of it"),
      requestedBy: raw("Requested by agent"),
      ...CHALLENGE,
    },
  },
  PayoutBatch: {
    intent: "Pay a file",
    sentence: "Pay a file: {totalOnBase} on Base, {totalOnBaseSepolia} on Base Sepolia",
    members: {
      payouts: raw("Payouts"),
      recipients: raw("Addresses"),
      totalOnBase: raw("Total on Base"),
      totalOnBaseSepolia: raw("Total on Base Sepolia"),
      batchHash: raw("Hash of the rows"),
      ...CHALLENGE,
    },
  },
  PayoutApprovals: {
    intent: "Approve payouts",
    sentence: "Approve {payouts} payouts: {totalOnBase} on Base, {totalOnBaseSepolia} on Base Sepolia",
    members: {
      payouts: raw("Payouts"),
      totalOnBase: raw("Total on Base"),
      totalOnBaseSepolia: raw("Total on Base Sepolia"),
      ...RECIPIENTS,
      ...CHALLENGE,
    },
  },
  NewAddress: {
    intent: "Add to the address book",
    sentence: "Add {account} to the address book as {name}",
    members: { name: raw("Name"), account: address("Address"), ...CHALLENGE },
  },
  ApprovalLimit: {
    intent: "Raise your approval limit",
    sentence: "Raise your approval limit to {limit}",
    members: { limit: raw("Limit"), ...CHALLENGE },
  },
  PaymentApproval: {
    intent: "Approve a payment",
    sentence: "Approve a payment of {amount} to {to} on {network}",
    members: {
      amount: raw("Amount"),
      network: raw("Network"),
      to: address("To"),
      resource: raw("Pays for"),
      approvalId: raw("Payment"),
      requestedBy: raw("Requested by agent"),
      ...CHALLENGE,
    },
  },
  PaymentApprovals: {
    intent: "Approve payments",
    sentence: "Approve {payments} payments: {totalOnBase} on Base, {totalOnBaseSepolia} on Base Sepolia",
    members: {
      payments: raw("Payments"),
      totalOnBase: raw("Total on Base"),
      totalOnBaseSepolia: raw("Total on Base Sepolia"),
      ...RECIPIENTS,
      ...CHALLENGE,
    },
  },
  ReceivingAddress: {
    intent: "Change where an agent is paid",
    sentence: "Have agent {agent} paid at {receivingAddress}",
    members: {
      agent: raw("Agent"),
      agentId: raw("Agent id"),
      receivingAddress: address("Paid at"),
      ...CHALLENGE,
    },
  },
  AgentToken: {
    intent: "Make a new token for an agent",
    sentence: "Make a new token for agent {agent}. Whoever has it can spend what the agent may spend",
    members: { agent: raw("Agent"), agentId: raw("Agent id"), oldToken: raw("The old token"), ...CHALLENGE },
  },
  AppConnection: {
    intent: "Connect an app to an agent",
    sentence: "Let app {app}, which returns to {returnsTo}, act as agent {agent} and spend what it may spend",
    members: {
      agent: raw("Agent"),
      app: raw("App (name not verified)"),
      returnsTo: raw("Returns to"),
      agentId: raw("Agent id"),
      ...CHALLENGE,
    },
  },
  PaymentScan: {
    intent: "Weaken the scan of an agent’s payments",
    sentence: "Weaken the scan of what agent {agent} pays. It is then {paymentScan}",
    members: { agent: raw("Agent"), agentId: raw("Agent id"), paymentScan: raw("The scan"), ...CHALLENGE },
  },
  AgentSettings: {
    intent: "Change where an agent is paid, and weaken its scan",
    sentence:
      "Have agent {agent} paid at {receivingAddress}, and weaken the scan of what it pays. It is then {paymentScan}",
    members: {
      agent: raw("Agent"),
      agentId: raw("Agent id"),
      receivingAddress: address("Paid at"),
      paymentScan: raw("The scan"),
      ...CHALLENGE,
    },
  },
  MandateResumption: {
    intent: "Resume a mandate",
    sentence: "Let agent {agent} pay again under mandate {mandateId}",
    members: {
      agent: raw("Agent"),
      limit: raw("Limit of the mandate"),
      mandateId: raw("Mandate"),
      agentId: raw("Agent id"),
      ...CHALLENGE,
    },
  },
  SpendingCap: {
    intent: "Raise a limit on your spending",
    sentence:
      "Limit {agent} on {network} to {per24Hours} in 24 hours and {per30Days} in 30 days. What is above {above}",
    members: {
      agent: raw("Limit of"),
      per24Hours: raw("In 24 hours"),
      per30Days: raw("In 30 days"),
      above: raw("What is above"),
      network: raw("Network"),
      agentId: raw("Agent id"),
      ...CHALLENGE,
    },
  },
  PayeeLists: {
    intent: "Let your agents pay more payees",
    sentence: "On the {list} of payees, add {added} and remove {removed}. The allow list {allowList}",
    members: {
      list: raw("List"),
      added: raw("Added"),
      removed: raw("Removed"),
      allowList: raw("The allow list"),
      ...CHALLENGE,
    },
  },
  PayeeConfirmation: {
    intent: "Confirm a payee",
    sentence: "Let your agents pay {payTo} on {network} for {host}",
    members: { host: raw("Host"), network: raw("Network"), payTo: address("May be paid"), ...CHALLENGE },
  },
  WebhookReceiver: {
    intent: "Send your events to a new host",
    sentence: "Send your events to {host}",
    members: { host: raw("Host"), url: raw("URL"), events: raw("Events"), ...CHALLENGE },
  },
  WebhookSecret: {
    intent: "Make a new secret for a webhook",
    sentence: "Make a new secret for the webhook {url}. Whoever has it can forge your events",
    members: { url: raw("URL"), webhookId: raw("Webhook"), ...CHALLENGE },
  },
  CreditPurchase: {
    intent: "Buy service credits",
    sentence: "Buy service credits for {amount} from your spending wallet",
    members: { amount: raw("Price"), ...CHALLENGE },
  },
  Recovery: {
    intent: "Send what went astray to yourself",
    sentence: "Send all {asset} at your spending wallet on {network} to your own address {to}",
    members: {
      network: raw("Network"),
      asset: raw("All of"),
      from: address("From"),
      to: address("To"),
      ...CHALLENGE,
    },
  },
} as const satisfies Record<string, MessageWords>;

export type MessageName = keyof typeof MESSAGES;

/** Null for a message that this service does not know. */
export const wordsOf = (primaryType: string): MessageWords | null =>
  Object.hasOwn(MESSAGES, primaryType) ? MESSAGES[primaryType as MessageName] : null;
