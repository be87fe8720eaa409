import type { Sayings } from "./said";
import {
  AGENT,
  APPROVAL,
  CREATED,
  HOST,
  LAST_PAGE,
  MANDATE,
  OK,
  ORIGIN,
  OWNER,
  PAYEE,
  PAYMENT,
  RESOURCE,
  SELLER,
  SIGNATURE,
  SOON_SECONDS,
  USDC,
  WALLET,
} from "./values";
import { authorization, mandate, payment, proofV1, proposedMandate } from "./views";

const paymentRequest = { amount: "500000", payTo: SELLER, resource: RESOURCE };

/** Base64 as it is sent, cut off. */
const ENCODED = "eyJ4NDAyVmVyc2lvbiI6MX0=";

const signedV1 = {
  ...OK,
  xPaymentB64: ENCODED,
  xPayment: proofV1,
  paymentRecordId: PAYMENT,
  expiresAt: SOON_SECONDS,
};

const accepted = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "500000",
  asset: USDC,
  payTo: SELLER,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
};
const resource = { url: RESOURCE, description: "A report", mimeType: "application/json" };

const approval = {
  approvalId: APPROVAL,
  status: "approved",
  agentId: AGENT,
  agentName: "Research agent",
  amount: "500000",
  amountFormatted: "0.50",
  currency: "USDC",
  network: "base",
  payTo: SELLER,
  host: HOST,
  resource: RESOURCE,
  description: "A report",
  paymentRecordId: null,
  approvalUrl: `${ORIGIN}/authorize/payment/${APPROVAL}`,
  createdAt: CREATED,
  expiresAt: "2026-11-02T09:10:00.000Z",
};

const payee = {
  payeeId: PAYEE,
  status: "confirmed",
  origin: `https://${HOST}`,
  network: "base",
  payTo: SELLER,
  previousPayTo: null,
  mandateId: MANDATE,
  resource: RESOURCE,
  method: "GET",
  amount: "500000",
  amountFormatted: "0.50",
  why: "no_answer",
  confirmedBy: "owner",
  confirmedAt: CREATED,
  evidence: null,
  createdAt: CREATED,
};

export const PAYMENTS: Sayings = {
  signV3: {
    description:
      "Charges the mandate and returns a proof: send it unchanged as X-PAYMENT to `resource` before `expiresAt`. With an Idempotency-Key, repeating the request signs nothing twice. 202: the mandate confirms payees, and this address is new for the host, which did not confirm it: show approvalUrl to the user, then send the same request again.",
    request: { mandateId: MANDATE, ...paymentRequest },
    responses: { 200: signedV1 },
  },
  signV2: {
    description:
      "Send `paymentRequest`, or `paymentRequestB64` with the PAYMENT-REQUIRED header, unchanged. Returns the value of PAYMENT-SIGNATURE, for the first offer that the mandate can pay, and charges the mandate. 202 as for x402V3Payment.",
    request: { mandateId: MANDATE, paymentRequest: { x402Version: 2, resource, accepts: [accepted] } },
    responses: {
      200: {
        ...OK,
        paymentPayloadB64: ENCODED,
        paymentPayload: { x402Version: 2, resource, accepted, payload: { signature: SIGNATURE, authorization } },
        paymentRecordId: PAYMENT,
        expiresAt: SOON_SECONDS,
      },
    },
  },
  listPayments: {
    description:
      "Every proof that was signed for the agent, also those that it never presented. `signed` still holds its amount of the budget; it becomes `expired` and gives the amount back, or `settled`.",
    responses: { 200: { ...OK, payments: [payment], ...LAST_PAGE } },
  },
  getPayment: {
    description:
      "Read it after a lost connection, before you pay a second time: `settled` means that the money moved, `expired` that it never will. The members are in the response twice: directly, where `status` is that of the response, and in `payment`.",
    responses: { 200: { ...payment, ...OK, payment } },
  },
  reportRefusal: {
    description:
      "For payments of mandates with a vault: some facilitators refuse contracts as payers. Send `reason` as the seller gave it, for example the `error` of its second 402. If the reason can mean that, and the chain would make the payment, the seller is remembered for this owner for 30 days, and the next payment to it goes through an ordinary account of the vault. The refused proof can still be paid until it expires: that payment waits until then.",
    request: { reason: "invalid_exact_evm_payload_signature" },
    responses: { 200: { ...OK, refusesContracts: true } },
  },
  signV1: {
    description:
      "202: show approvalUrl to the user, then send the same body with the approvalId. An approval is valid for one payment, within ten minutes. It needs no mandate, and the agent need not be linked yet: the person who opens the address links it.",
    request: paymentRequest,
    responses: {
      200: signedV1,
      202: {
        status: "approval_required",
        code: "approval_required",
        message: "The user must approve this payment",
        approvalId: APPROVAL,
        approvalUrl: `${ORIGIN}/authorize/payment/${APPROVAL}?token=Zk3pQ7vN`,
        expiresAt: SOON_SECONDS,
        agentStatus: "needs_wallet_authorization",
        payment_model_context: {
          primer: "You cannot approve a payment yourself.",
          instructions: "Show the user approvalUrl. After they approve, send the same body again with approvalId.",
        },
      },
    },
  },
  claimApproval: {
    description:
      "The first step on the page of an `approvalUrl`, for an agent without an owner. `token` is the one in that address. The payment is not approved by it: call `approve` or `deny` next.",
    request: { token: "Zk3pQ7vN" },
    responses: { 200: { ...OK, approval: { ...approval, status: "pending" } } },
  },
  approvePayment: {
    description:
      "Nothing is paid yet: the agent fetches its proof by sending its request again. Answered 403 `signature_required` with the text to sign when the sum of a day would exceed the approval limit, and while the owner's wallet has signed nothing for the agent; send the same request with `signature`.",
    request: {},
    responses: { 200: { ...OK, approval } },
  },
  approvePayments: {
    description:
      "One that cannot be approved any more does not stop the others: its entry of `results` has the error. Send the same request again with `signature` after 403 `signature_required`.",
    request: { approvalIds: [APPROVAL] },
    responses: { 200: { ...OK, results: [{ approvalId: APPROVAL, approval, error: null }] } },
  },
  denyPayment: {
    description:
      "The agent is answered 403 `approval_denied` when it asks again. Once the agent has fetched its proof, denying is too late: 409 `approval_used`.",
    request: {},
    responses: { 200: { ...OK, approval: { ...approval, status: "denied" } } },
  },
  alwaysAllow: {
    description:
      "For an owner who does not want to be asked for this host again. The mandate lists the host of the payment only, and waits for the owner's signature like one that an agent proposes. The approval itself stays as it is.",
    request: { limitAmount: "5000000", maxAmountPerPayment: "1000000", validForSeconds: 2_592_000 },
    responses: { 201: { ...OK, mandate: { ...proposedMandate, requestedBy: "owner" } } },
  },
  confirmPayee: {
    description:
      "After a 202 `payee_confirmation_required`, on the page of its `approvalUrl`. Look at the address: the host itself did not name it. The agent then sends its request again; no payment is signed by this call. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
    request: {},
    responses: { 200: { ...OK, payee } },
  },
  refusePayee: {
    description:
      "Payments to it under such mandates are answered 403 `payee_refused` from then on. The owner can confirm the address later, at the same page.",
    responses: { 200: { ...OK, payee: { ...payee, status: "refused", confirmedBy: null, confirmedAt: null } } },
  },
  selfStatus: {
    description:
      "A good first call after a login: whether a person has linked the agent, what it can spend, and how its last payments ended. `txLimit` is the number of payments.",
    responses: {
      200: {
        ...OK,
        network: "base",
        agent: {
          id: AGENT,
          externalAgentId: AGENT,
          name: "Research agent",
          isAuthorized: true,
          authorizationExpiry: null,
          walletAddress: WALLET,
          ownerAddress: OWNER,
        },
        balances: {
          usdc: { available: "12500000", availableFormatted: "12.50" },
          credits: { available: "0", availableFormatted: "0.00" },
        },
        mandates: { open: 1, total: 1, items: [mandate], itemsTruncated: false },
        recentTransactions: { items: [payment], limit: 20, hasMore: false },
      },
    },
  },
  downloadMade: {
    description:
      "The payments of the dashboard's payments page, with the same filters, one line for each payment. Amounts are in atomic units and formatted. For the signed-in owner only.",
  },
};
