import type { Sayings } from "./said";
import {
  BUYER,
  JWS,
  LAST_PAGE,
  LINK,
  NONCE,
  OK,
  ORIGIN,
  PAYOUT,
  REFUND,
  SELLER,
  SETTLED,
  SETTLEMENT,
  SIGNATURE,
  SUCCESS,
  TOMORROW,
  TX_HASH,
  UPDATED,
  USDC,
  WALLET,
} from "./values";
import { approvedPayout, payout, pending, receiptUrl, refund, settlement } from "./views";

export const SETTLEMENTS: Sayings = {
  getSettlement: {
    description:
      "While `settlementStatus` is pending, read it again after a few seconds. `stillValidUntil`: the proof was not settled, but it can still be paid until then. `refundedAmount`: what the seller has given back; `settlementStatus` stays `settled`. With the buyer's `key`, from `contentUrl`, it has what was bought.",
    responses: { 200: { ...settlement, ...OK, refundedAmount: "0" } },
  },
  getReceipt: {
    description:
      "Anybody may read it. `jws` is signed with the keys of the JWKS, so that it can be checked without asking this service. The receipt of a settlement never changes, also when the payment is refunded: read `refundedAmount` of the settlement before you deliver. 409 `NO_RECEIPT` means that the money did not move.",
    responses: {
      200: {
        ...SUCCESS,
        receipt: {
          iss: ORIGIN,
          sub: SETTLEMENT,
          iat: 1_793_610_004,
          txHash: TX_HASH,
          blockNumber: "23456789",
          network: "base",
          asset: USDC,
          payer: BUYER,
          payee: WALLET,
          amount: "1000000",
          currency: "USDC",
          description: "A report",
          resource: `${ORIGIN}/pay/${LINK}`,
          settledAt: SETTLED,
          linkId: LINK,
        },
        jws: JWS,
      },
      202: pending,
    },
  },
  getCancellation: {
    description:
      "For the payer of a settlement that has `stillValidUntil`: until then anybody who saw the proof could submit it. Sign `typedData` with the payer's account and send the signature to the same address with POST. Reading it cancels nothing.",
    responses: {
      200: {
        ...OK,
        payer: BUYER,
        stillValidUntil: TOMORROW,
        typedData: {
          domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
          types: {
            CancelAuthorization: [
              { name: "authorizer", type: "address" },
              { name: "nonce", type: "bytes32" },
            ],
          },
          primaryType: "CancelAuthorization",
          message: { authorizer: BUYER, nonce: NONCE },
        },
      },
    },
  },
  postCancellation: {
    description:
      "Anybody may send it; only the payer can sign it. After a 202 send the same request again, or read the settlement. The payment can still win: then the settlement is `settled`.",
    request: { signature: SIGNATURE },
    responses: {
      200: {
        ...OK,
        settlementId: SETTLEMENT,
        settlementStatus: "failed",
        failureCode: "CANCELED",
        stillValidUntil: null,
      },
    },
  },
};

const request = { paymentId: 17, amount: "500000", reason: "Not delivered" };
const approved = { ...refund, isApproved: true, settlementId: SETTLEMENT, receiptUrl };
const cancelled = { ...refund, status: "cancelled" };

export const REFUNDS: Sayings = {
  initiateRefund: {
    description:
      "The refund goes to the original payer, once the owner has approved it at `refundUrl`. All refunds of a payment together never exceed it. Without `amount`, the rest of the payment is refunded.",
    request,
    responses: { 201: refund },
  },
  listRefunds: {
    description:
      "Also those that the owner created. Send `nextCursor` as `cursor` for the next page; the deprecated `offset` is for old clients.",
    responses: { 200: { ...SUCCESS, refunds: [refund], ...LAST_PAGE } },
  },
  getRefund: {
    description:
      "`status` stays `pending` while it waits for the owner and while its transfer is under way: `isApproved` says which. `settled` means that the payer has the money.",
    responses: { 200: refund },
  },
  cancelRefund: {
    description:
      "It frees the amount for another refund. After the owner's approval it is too late: 409 `REFUND_APPROVED`.",
    responses: { 200: { ...cancelled, cancelledBy: "agent" } },
  },
  createRefund: {
    description:
      "The owner's own way to prepare a refund, without the agent. Approve it next with `POST /api/refunds/{refundId}/approve`.",
    request,
    responses: { 201: { ...OK, refund: { ...refund, requestedBy: "owner" } } },
  },
  approveRefund: {
    description:
      "The transfer goes to the address that paid, and nowhere else. It counts as approved before it is sent, so that two requests never pay twice. Nothing moves while the payment's block may still be replaced (409 `PAYMENT_NOT_FINAL`).",
    responses: { 200: { ...OK, refund: approved } },
  },
  approveRefunds: {
    description: "One that cannot be paid does not stop the others: its entry of `results` has the error. At most 20.",
    request: { refundIds: [REFUND] },
    responses: { 200: { ...OK, results: [{ refundId: REFUND, refund: approved, error: null }] } },
  },
  rejectRefund: {
    description:
      "No money moves, and the amount is free for another refund. The agent sees `cancelled`, with `cancelledBy: owner`.",
    responses: { 200: { ...OK, refund: { ...cancelled, cancelledBy: "owner" } } },
  },
};

const payoutRequest = { payoutId: "invoice-17", toAddress: SELLER, amount: "2500000" };
const waiting = { ...payout, payout };
const one = { 200: { ...OK, payout: approvedPayout } };
const ofOwner = { ...payout, agentId: null, agentName: null };
const done = (status: string) => ({ ...payout, status, approvalUrl: null });
const address = { address: SELLER, name: "Example Ltd", createdAt: UPDATED };

export const PAYOUTS: Sayings = {
  createPayout: {
    description:
      "All transfers of a split are made in one transaction, or none. A second payout of the same agent with the same `bizId`, such as an invoice, is refused until the first one has failed. Without a mandate, show `approvalUrl` to the user and read the payout again later.",
    request: payoutRequest,
    responses: { 200: waiting, 201: waiting },
  },
  listPayouts: {
    description:
      "Filter by `status`, `network` or `bizId`, for example to find out whether an invoice was paid before you pay it.",
    responses: { 200: { ...OK, payouts: [payout], ...LAST_PAGE } },
  },
  getPayout: {
    description:
      "Read it until `status` is `succeeded`, `failed`, `expired`, `denied` or `cancelled`. Without a login, the answer has only its state and transaction.",
    responses: { 200: waiting },
  },
  cancelPayout: {
    description:
      "For an agent that changed its mind before the owner decided. Once approved, it is 409 `payout_approved`.",
    responses: { 200: { ...done("cancelled"), payout: done("cancelled") } },
  },
  createOwnedPayout: {
    description:
      "For payouts that no agent requested. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. The same `payoutId` with the same body returns the first payout.",
    request: { ...payoutRequest, approve: false },
    responses: { 200: { ...OK, payout: ofOwner }, 201: { ...OK, payout: ofOwner } },
  },
  createPayoutBatch: {
    description:
      "A row that is not valid does not stop the others: its entry of `results` has the error. After a lost connection send the same file again.",
    request: { rows: [payoutRequest], approve: false },
    responses: {
      200: {
        ...OK,
        results: [{ index: 0, payoutId: "invoice-17", status: 201, code: null, message: null, payout: ofOwner }],
      },
    },
  },
  listOwnedPayouts: {
    description:
      "`agent=me` lists those that the owner created. `text` looks into descriptions, ids and addresses; `from` and `to` are days in UTC, inclusive.",
    responses: { 200: { ...OK, payouts: [payout], ...LAST_PAGE } },
  },
  downloadPayouts: {
    description: "For bookkeeping: a split has a line for each of its transfers, with its transaction and its failure.",
  },
  getOwnedPayout: {
    description:
      "`legs` has each transfer with its own state and receipt. The id is the `payoutRecordId`, because agents choose `payoutId`.",
    responses: { 200: { ...OK, payout } },
  },
  claimPayout: {
    description:
      "The first step on the page of an `approvalUrl`, for an agent without an owner. `token` is the one in that address. Nothing is paid by it.",
    request: { token: "Zk3pQ7vN" },
    responses: { 200: { ...OK, payout } },
  },
  approvePayout: {
    description:
      "It claims the transfers at once; they are made in seconds. After 403 `signature_required` sign its `typedData` and send `signature`. Approving again pays nothing twice.",
    request: {},
    responses: one,
  },
  approvePayouts: {
    description: "One that cannot be paid does not stop the others: its entry of `results` has the error. At most 20.",
    request: { payoutRecordIds: [PAYOUT] },
    responses: {
      200: { ...OK, results: [{ payoutRecordId: PAYOUT, payout: approvedPayout, error: null }] },
    },
  },
  denyPayout: {
    description:
      "Nothing is paid, and the agent sees `denied`. While the agent has no owner, `token` of the `approvalUrl` is needed.",
    request: {},
    responses: { 200: { ...OK, payout: done("denied") } },
  },
  cancelOwnedPayout: {
    description:
      "For payouts that the owner created, and for those of agents. Once approved, it is 409 `payout_approved`.",
    responses: { 200: { ...OK, payout: done("cancelled") } },
  },
  getBalances: {
    description:
      "`available` is what a payout or a payment can use now. `balance` and `available` are null while the network's chain does not respond.",
    responses: {
      200: {
        ...OK,
        balances: [
          {
            network: "base",
            address: WALLET,
            balance: "12500000",
            available: "12000000",
            reserved: "0",
            pending: "500000",
          },
        ],
      },
    },
  },
  listAddresses: {
    description: "Payouts to these need no signature while those of 24 hours stay within the approval limit.",
    responses: { 200: { ...OK, addresses: [address] } },
  },
  addAddress: {
    description:
      "After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. Check the address first with `weigh`: addresses that look alike are a common fraud.",
    request: { address: SELLER, name: "Example Ltd", signature: SIGNATURE },
    responses: { 201: { ...OK, address } },
  },
  renameAddress: {
    description:
      "Only the name changes, and no signature is needed. For another address, remove this one and add that.",
    request: { name: "Example Ltd, Bern" },
    responses: { 200: { ...OK, address: { ...address, name: "Example Ltd, Bern" } } },
  },
  removeAddress: {
    description: "Payouts to it need a signature from then on. Those that are approved already are made.",
    responses: { 200: OK },
  },
  weighAddresses: {
    description:
      "Call it before a person approves. `looksLike` names a known address with the same beginning and end: that is how payments are led astray.",
    request: { addresses: [SELLER] },
    responses: {
      200: {
        ...OK,
        addresses: [
          { address: SELLER, name: "Example Ltd", isFirst: false, isOwn: false, looksLike: null, refusal: null },
        ],
      },
    },
  },
  getApprovalLimit: {
    description:
      "It is 100 USDC until the owner changes it. What takes the sum of 24 hours on one network above it is answered 403 `signature_required`.",
    responses: { 200: { ...OK, limit: "100000000" } },
  },
  setApprovalLimit: {
    description:
      "After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`. It is valid for requests that come later.",
    request: { limit: "50000000" },
    responses: { 200: { ...OK, limit: "50000000" } },
  },
};
