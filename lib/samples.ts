import { NETWORKS } from "@tessera/x402/networks";

/**
 * What the examples of endpoints share, so that the same agent, link or payment is the same everywhere. `ORIGIN` and `DID` become the
 * service's own in the document.
 */
export const ORIGIN = "https://tessera.example";
export const DID = "did:web:tessera.example";

export const OK = { status: "ok" } as const;
export const SUCCESS = { success: true } as const;
export const LAST_PAGE = { nextCursor: null } as const;

export const AGENT = "7d3f1c52-9b0e-4c8a-8f2d-1a5b6c7d8e9f";
export const MANDATE = "mand_4f2KqLw8ZtYp0aXcVbNm1234";
export const NEXT_MANDATE = "mand_8sWd3HnQ6yRk1eTzUjPf5678";
export const PAYMENT = "pay_2bMvXc9LkJh5gFdSaQwE7Rt3";
export const SETTLEMENT = "stl_9uYtR4eWqAsD2fGhJkLz6XcV";
export const LINK = "lnk_5nBgT8hYmJuK1iOlPqAz3WsX";
export const REFUND = "rfd_6tGbVfRcDxEsWzAq0PlOkMij";
export const APPROVAL = "apr_1qAzXsW2eDcVfR3tGbNhY4uJ";
export const PAYEE = "pye_7yHnMjU8iKlOp9ZaQxSwCdEv";
export const PAYOUT = "po_3eDcRfV4tGbYhN5uJmIkOlP6";
export const INVOICE = "inv_8iKmJnU7yHbGtV6fRcDxEs5W";
export const FILE = "fil_0pLoKiJuHyGtFrDeSwAqZxCv";
export const IMAGE = "img_7cVbNm2QwErTy4UiOpAs9DfG";
export const WEBHOOK = "whk_4rFvBgT5yHnMjU6iKlOpQaZw";
export const DELIVERY = "dlv_2wSxEdC3rFvTgB4yHnUjM5iK";
export const EVENT = "evt_5tGbNhY6uJmKiO7lPqAzWsXe";
export const KEY = "fky_9oLpKiMjU8nHyBgT7vFrCdXe";
export const DOMAIN = "dom_1aZqSxWdCe2FvRgBtHn3YmJu";
export const SESSION = "ses_6yHgTfRdEsWaQ5zXcVbNmLkJ";
export const VIEW = "vw_7nMjUkI8oLpZaQxSwCdEvFrB";
export const BROWSER = "brw_3kJhGfDsAqWeRtYuIoP4lMnB";
export const SCAN = "scn_8mNbVcXzLkJhGfDsAqW7eRtY";
export const APP = "app_5rTyUiOpLkJhGfD3sAqWzXcV";
export const RECOVERY = "rcv_4tGbHyN7uJmKiLo9PqAzWsXe";
export const CONNECTION = "con_2wErTyUiOpAsDfG8hJkLzXcV";
export const FIREWALL = "firewall";

export const OWNER = "0xAb8483F64d9C6d1EcF9b849Ae677dD3315835cb2";
/** The owner's spending wallet. */
export const WALLET = "0x4B20993Bc481177ec7E8f571ceCaE8A9e22C02db";
/** A seller, or whoever is paid. */
export const SELLER = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4";
/** A buyer of the agent's. */
export const BUYER = "0x78731D3Ca6b7E34aC0F824c42a7cC18A495cabaB";
export const NETWORK = "base";
export const USDC = NETWORKS[NETWORK].usdc;

const bytes = (text: string, length: number): string => `0x${text.repeat(length).slice(0, 2 * length)}`;

export const TX_HASH = bytes("5c9f2b71d40e86a3", 32);
export const NONCE = bytes("b1e47d0c93f2685a", 32);
/** 65 bytes, as accounts without code sign. */
export const SIGNATURE = bytes("3fd21c86a90b75e4", 65);
export const HASH = bytes("e07a16c5f39d4b28", 32);

/** A JWT or another compact JWS. It is only the form of one: nobody signed it. */
export const JWS = "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl";
export const TOKEN = "tok_7fKq2LmZx9Rb4TnV6yWc1PdS";

export const CREATED = "2026-11-02T09:00:00.000Z";
export const SETTLED = "2026-11-02T09:00:04.000Z";
export const UPDATED = "2026-11-02T10:30:00.000Z";
export const TOMORROW = "2026-11-03T09:00:00.000Z";
export const NEXT_MONTH = "2026-12-02T09:00:00.000Z";
/** Ten minutes after `CREATED`, in Unix seconds. */
export const SOON_SECONDS = 1_793_610_600;

export const RESOURCE = "https://service.example/report";
export const HOST = "service.example";

const ON_BASE = { currency: "USDC", network: NETWORK } as const;

/** A signed mandate over 5 USDC, of which 0.50 are spent. */
export const mandate = {
  mandateId: MANDATE,
  agentId: AGENT,
  mode: "wallet",
  vault: null,
  status: "signed",
  isEnabled: true,
  requestedBy: "agent",
  naturalLanguage: "Market data",
  category: null,
  ...ON_BASE,
  limitAmount: "5000000",
  limitAmountFormatted: "5.00",
  maxAmountPerPayment: "1000000",
  maxAmountPerDay: null,
  maxAmountPerMonth: null,
  today: null,
  thisMonth: null,
  spentAmount: "500000",
  spentAmountFormatted: "0.50",
  pendingSpentAmount: "0",
  pendingSpentAmountFormatted: "0.00",
  remainingAmount: "4500000",
  remainingAmountFormatted: "4.50",
  validFrom: CREATED,
  validUntil: NEXT_MONTH,
  hostAllowlist: [HOST],
  asked: null,
  confirmPayees: false,
  mandateHash: HASH,
  replaces: null,
  replacedBy: null,
  signedAt: CREATED,
  createdAt: CREATED,
  updatedAt: UPDATED,
  detailsUrl: `${ORIGIN}/mandates/${MANDATE}`,
  signUrl: `${ORIGIN}/authorize/mandate/${MANDATE}`,
};

/** The same mandate before it was signed. */
export const proposedMandate = {
  ...mandate,
  status: "pending_signature",
  spentAmount: "0",
  spentAmountFormatted: "0.00",
  remainingAmount: "5000000",
  remainingAmountFormatted: "5.00",
  mandateHash: null,
  signedAt: null,
  updatedAt: CREATED,
};

/** An authorization as proofs contain it. */
export const authorization = {
  from: WALLET,
  to: SELLER,
  value: "500000",
  validAfter: "1793609940",
  validBefore: String(SOON_SECONDS),
  nonce: NONCE,
};

export const proofV1 = {
  x402Version: 1,
  scheme: "exact",
  network: NETWORK,
  payload: { signature: SIGNATURE, authorization },
};

export const payment = {
  paymentRecordId: PAYMENT,
  mandateId: MANDATE,
  status: "settled",
  amount: "500000",
  amountFormatted: "0.50",
  ...ON_BASE,
  assetAddress: USDC,
  from: WALLET,
  payTo: SELLER,
  host: HOST,
  resource: RESOURCE,
  description: "A report",
  nonce: NONCE,
  validBefore: SOON_SECONDS,
  txHash: TX_HASH,
  createdAt: CREATED,
  settledAt: SETTLED,
};

export const link = {
  linkId: LINK,
  amount: "1000000",
  ...ON_BASE,
  payTo: WALLET,
  assetAddress: USDC,
  scheme: "exact",
  description: "A report",
  reference: null,
  resourceContent: "https://service.example/r/1",
  redirectUrl: null,
  status: "active",
  expiresAt: null,
  maxUses: 10,
  useCount: 1,
  isListed: false,
  isRepeatable: false,
  isPayable: true,
  unavailableReason: null,
  url: `${ORIGIN}/pay/${LINK}`,
  createdAt: CREATED,
  updatedAt: UPDATED,
  id: 3,
};

export const receiptUrl = `${ORIGIN}/receipt/${SETTLEMENT}`;

export const received = {
  payerAddress: BUYER,
  amount: "1000000",
  ...ON_BASE,
  settlementStatus: "settled",
  settlementTxHash: TX_HASH,
  failureCode: null,
  stillValidUntil: null,
  refundedAmount: "0",
  sourceType: "payment_link",
  description: "A report",
  paymentLinkId: LINK,
  payerEmail: null,
  payTo: WALLET,
  settlementId: SETTLEMENT,
  receiptUrl,
  createdAt: CREATED,
  id: 17,
};

/** What `status` of every presented payment shows. */
export const settlement = {
  settlementId: SETTLEMENT,
  settlementStatus: "settled",
  txHash: TX_HASH,
  network: NETWORK,
  payer: BUYER,
  payee: WALLET,
  amount: "1000000",
  asset: USDC,
  purpose: "link",
  resource: `${ORIGIN}/pay/${LINK}`,
  description: "A report",
  failureCode: null,
  stillValidUntil: null,
  blockNumber: "23456789",
  createdAt: CREATED,
  endedAt: SETTLED,
  receiptUrl,
};

/** The part that the responses of paid resources without content of their own have in common. */
export const settledPayment = {
  success: true,
  txHash: TX_HASH,
  settledAmount: "1000000",
  network: NETWORK,
  payer: BUYER,
  payee: WALLET,
  settlementId: SETTLEMENT,
  receiptUrl,
};

/** A refund that waits for the owner. */
export const refund = {
  refundId: REFUND,
  refundUrl: `${ORIGIN}/authorize/refund/${REFUND}`,
  paymentId: 17,
  linkId: LINK,
  sourceType: "payment_link",
  amount: "500000",
  amountFormatted: "0.50",
  ...ON_BASE,
  refundFrom: WALLET,
  refundTo: BUYER,
  status: "pending",
  refundTxHash: null,
  refundType: "partial",
  reason: "Not delivered",
  originalAmount: "1000000",
  originalTxHash: TX_HASH,
  agentName: "Research agent",
  requestedBy: "agent",
  isApproved: false,
  cancelledBy: null,
  failureCode: null,
  stillValidUntil: null,
  settlementId: null,
  receiptUrl: null,
  expiresAt: TOMORROW,
  createdAt: UPDATED,
};

/** A payout that waits for the owner. */
export const payout = {
  payoutId: "invoice-17",
  payoutRecordId: PAYOUT,
  status: "pending_authorization",
  txHash: null,
  toAddress: SELLER,
  amount: "2500000",
  amountFormatted: "2.50",
  ...ON_BASE,
  assetAddress: USDC,
  agentId: AGENT,
  agentName: "Research agent",
  mandateId: null,
  bizId: null,
  description: "",
  legs: [
    {
      index: 0,
      toAddress: SELLER,
      amount: "2500000",
      amountFormatted: "2.50",
      shareBps: null,
      status: null,
      txHash: null,
      failureCode: null,
      stillValidUntil: null,
      settlementId: null,
      receiptUrl: null,
    },
  ],
  failureReason: null,
  approvalUrl: `${ORIGIN}/authorize/payout/${PAYOUT}`,
  expiresAt: 1_793_696_400,
  createdAt: CREATED,
  approvedAt: null,
  executedAt: null,
  confirmations: null,
};

/** The same payout after the owner approved it. */
export const approvedPayout = {
  ...payout,
  status: "processing",
  approvalUrl: null,
  approvedAt: UPDATED,
  legs: payout.legs.map((leg) => ({ ...leg, status: "pending", settlementId: SETTLEMENT, receiptUrl })),
};

export const pending = {
  status: "pending",
  message: "The payment is on its way. Read the settlement later",
  settlementId: SETTLEMENT,
  txHash: TX_HASH,
};

export const agent = {
  agentId: AGENT,
  name: "Research agent",
  clientInfo: "example/1.0",
  createdAt: CREATED,
  linkedAt: CREATED,
  receivingAddress: null,
  effectiveReceivingAddress: WALLET,
  uplUrl: `${ORIGIN}/unifypaymentlink/agentid/${AGENT}`,
  paymentScan: "off",
  isBound: true,
  hasSold: false,
};

/** What the owner is asked, of an agent's payment. */
export const hostHistory = {
  paid: 12,
  delivered: 9,
  unseen: 2,
  refused: 1,
  priceAsListed: 12,
  addressesPaid: 1,
  listedAmount: "500000",
  lastPayTo: SELLER,
  lastPaidAt: "2026-11-01T17:20:00.000Z",
};

export const summary = {
  kind: "payment",
  title: `Approve 0.50 USDC to ${HOST}?`,
  text: `Your agent “Research agent” asks you to pay 0.50 USDC to ${HOST}. The request ends after ten minutes.`,
  agentName: "Research agent",
  amount: "500000",
  amountFormatted: "0.50",
  ...ON_BASE,
  recipients: 1,
  payee: {
    address: SELLER,
    known: { isFirst: false, isInAddressBook: false, resemblesKnown: false, confirmedBy: null, hostHistory },
  },
  host: HOST,
  resource: RESOURCE,
  reason: "A report",
  mandate: null,
  exceededCap: null,
  expiresAt: "2026-11-02T09:10:00.000Z",
};

export const payoutRequest = { payoutId: "invoice-17", toAddress: SELLER, amount: "2500000" };

export const endedPayout = (status: string) => ({ ...payout, status, approvalUrl: null });

export const paymentRequest = { amount: "500000", payTo: SELLER, resource: RESOURCE };

/** Base64 as it is sent, cut off. */
export const ENCODED = "eyJ4NDAyVmVyc2lvbiI6MX0=";

export const signedV1 = {
  ...OK,
  xPaymentB64: ENCODED,
  xPayment: proofV1,
  paymentRecordId: PAYMENT,
  expiresAt: SOON_SECONDS,
};

export const acceptedOffer = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "10000",
  asset: USDC,
  payTo: SELLER,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2", primaryType: "TransferWithAuthorization" },
};
