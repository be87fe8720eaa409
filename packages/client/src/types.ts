// Written by `npx tsx dev/client/types.ts` from the contracts.

export type Mandate = {
  mandateId: string;
  agentId: string;
  mode: "wallet" | "vault";
  vault: {
    address: string;
    factory: string;
    funding: "now" | "permit";
    state: "opening" | "open" | "closing" | "closed" | "failed";
    failure: string | null;
    funded: string;
    balance: string;
    spent: string;
    returned: string;
    released: string;
    release: { amount: string; seconds: number } | null;
    agentKey: string | null;
    payees: number | null;
    pocket: { address: string; balance: string } | null;
    isRevoked: boolean;
    readAtBlock: string | null;
  } | null;
  status: "draft" | "pending_signature" | "signed" | "rejected" | "revoked" | "expired" | "exhausted";
  isEnabled: boolean;
  requestedBy: "agent" | "owner";
  naturalLanguage: string;
  category: string | null;
  currency: "USDC";
  network: "base" | "base-sepolia";
  limitAmount: string;
  limitAmountFormatted: string;
  maxAmountPerPayment: string | null;
  maxAmountPerDay: string | null;
  maxAmountPerMonth: string | null;
  today: { usedAmount: string; remainingAmount: string; resetsAt: string } | null;
  thisMonth: { usedAmount: string; remainingAmount: string; resetsAt: string } | null;
  spentAmount: string;
  spentAmountFormatted: string;
  pendingSpentAmount: string;
  pendingSpentAmountFormatted: string;
  remainingAmount: string;
  remainingAmountFormatted: string;
  validFrom: string;
  validUntil: string;
  hostAllowlist: Array<string>;
  asked: {
    limitAmount: string;
    maxAmountPerPayment: string | null;
    maxAmountPerDay: string | null;
    maxAmountPerMonth: string | null;
    validUntil: string;
    hostAllowlist: Array<string>;
  } | null;
  confirmPayees: boolean;
  mandateHash: string | null;
  replaces: string | null;
  replacedBy: string | null;
  signedAt: string | null;
  createdAt: string;
  updatedAt: string;
  detailsUrl: string;
  signUrl: string;
};

export type Payment = {
  paymentRecordId: string;
  mandateId: string | null;
  status: "signed" | "submitted" | "settled" | "expired" | "cancelled";
  amount: string;
  amountFormatted: string;
  currency: "USDC" | "CREDITS";
  network: "base" | "base-sepolia" | "service-credits";
  assetAddress: string;
  from: string;
  payTo: string;
  host: string;
  resource: string;
  description: string;
  nonce: string;
  validBefore: number;
  txHash: string | null;
  createdAt: string;
  settledAt: string | null;
};

export type PaymentLink = {
  id: number;
  linkId: string;
  amount: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  payTo: string | null;
  assetAddress: string;
  scheme: "exact";
  description: string;
  title?: string | undefined;
  disabledMessage?: string | undefined;
  taxNote?: string | undefined;
  cancelUrl?: string | undefined;
  metadata?: Record<string, string> | undefined;
  customAmount?: { min: string; max: string; presets: Array<string> } | undefined;
  maxQuantity?: number | undefined;
  fields?: Array<{ name: string; label: string; isRequired: boolean }> | undefined;
  reference: string | null;
  resourceContent: string | null;
  redirectUrl: string | null;
  status: "active" | "disabled";
  expiresAt: string | null;
  maxUses: number | null;
  useCount: number;
  isListed: boolean;
  isRepeatable: boolean;
  invoiceId?: string | undefined;
  file?: { fileId: string; name: string; bytes: number; sha256: string } | undefined;
  image?:
    | {
        imageId: string;
        type: "image/png" | "image/jpeg" | "image/webp";
        width: number;
        height: number;
        bytes: number;
        url: string;
      }
    | undefined;
  upstream?:
    | {
        kind: "http" | "mcp";
        url: string;
        methods: Array<"GET" | "POST" | "PUT" | "PATCH" | "DELETE">;
        paths: Array<{ path: string; amount: string | null }>;
        tools?: Array<{ name: string; amount: string | null }> | undefined;
        secondsMax: number;
        answerBytesMax: number;
        headerNames: Array<string>;
        paidUrl: string;
        mcpUrl?: string | undefined;
        pass: {
          calls: number | null;
          hours: number | null;
          isByUse: boolean;
          isRefundable: boolean;
          amount: string;
          url: string;
        } | null;
      }
    | undefined;
  isPayable: boolean;
  unavailableReason: "LINK_DISABLED" | "LINK_EXPIRED" | "LINK_SOLD_OUT" | null;
  url: string;
  createdAt: string;
  updatedAt: string;
};

export type ReceivedPayment = {
  id: number;
  payerAddress: string;
  amount: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  settlementStatus: "pending" | "settled" | "failed" | "refunded";
  settlementTxHash: string | null;
  failureCode: string | null;
  stillValidUntil: string | null;
  refundedAmount: string;
  sourceType: "payment_link" | "upl";
  description: string;
  paymentLinkId: string | null;
  payerEmail: null;
  payTo: string;
  settlementId: string;
  receiptUrl: string;
  createdAt: string;
  reference?: string | undefined;
  metadata?: Record<string, string> | undefined;
  quantity?: number | undefined;
  answers?: Record<string, string> | undefined;
};

export type Refund = {
  refundId: string;
  refundUrl: string;
  paymentId: number;
  linkId: string | null;
  sourceType: "payment_link" | "upl";
  amount: string;
  amountFormatted: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  refundFrom: string;
  refundTo: string;
  status: "pending" | "settled" | "failed" | "expired" | "cancelled";
  refundTxHash: string | null;
  refundType: "full" | "partial";
  reason: string | null;
  originalAmount: string;
  originalTxHash: string | null;
  agentName: string;
  requestedBy: "agent" | "owner";
  isApproved: boolean;
  cancelledBy: "agent" | "owner" | null;
  failureCode: string | null;
  stillValidUntil: string | null;
  settlementId: string | null;
  receiptUrl: string | null;
  expiresAt: string;
  createdAt: string;
};

export type Payout = {
  payoutId: string;
  payoutRecordId: string;
  status:
    | "pending_authorization"
    | "authorized"
    | "processing"
    | "succeeded"
    | "failed"
    | "expired"
    | "denied"
    | "cancelled";
  txHash: string | null;
  toAddress: string | null;
  amount: string;
  amountFormatted: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  assetAddress: string;
  agentId: string | null;
  agentName: string | null;
  mandateId: string | null;
  bizId: string | null;
  description: string;
  legs: Array<{
    index: number;
    toAddress: string;
    amount: string;
    amountFormatted: string;
    shareBps: number | null;
    status: "pending" | "settled" | "failed" | null;
    txHash: string | null;
    failureCode: string | null;
    stillValidUntil: string | null;
    settlementId: string | null;
    receiptUrl: string | null;
  }>;
  failureReason: string | null;
  approvalUrl: string | null;
  expiresAt: number;
  createdAt: string;
  approvedAt: string | null;
  executedAt: string | null;
  confirmations: number | null;
};

export type Invoice = {
  id: number;
  invoiceId: string;
  agentId: string;
  number: string;
  buyerName: string;
  issueDate: string;
  dueDate: string;
  dueInDays: number;
  isPayableAfterDue: boolean;
  total: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  state: "open" | "overdue" | "expired" | "payment_under_way" | "paid" | "cancelled";
  canBePaid: boolean;
  payment: {
    settlementId: string;
    status: "pending" | "settled";
    txHash: string | null;
    settledAt: string | null;
    receiptUrl: string;
  } | null;
  refundedAmount: string;
  url: string;
  paymentUrl: string;
  linkId: string;
  cancelledAt: string | null;
  createdAt: string;
  buyer: { name: string; email: string | null; address: string | null };
  sellerName: string;
  sellerDomain: string | null;
  sellerDetails: string | null;
  lines: Array<{ description: string; quantity: string; unitAmount: string; amount: string }>;
  subtotal: string;
  tax: { label: string; percent: string | null; amount: string } | null;
  note: string | null;
};

export type InvoiceItem = {
  id: number;
  invoiceId: string;
  agentId: string;
  number: string;
  buyerName: string;
  issueDate: string;
  dueDate: string;
  dueInDays: number;
  isPayableAfterDue: boolean;
  total: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  state: "open" | "overdue" | "expired" | "payment_under_way" | "paid" | "cancelled";
  canBePaid: boolean;
  payment: {
    settlementId: string;
    status: "pending" | "settled";
    txHash: string | null;
    settledAt: string | null;
    receiptUrl: string;
  } | null;
  refundedAmount: string;
  url: string;
  paymentUrl: string;
  linkId: string;
  cancelledAt: string | null;
  createdAt: string;
};

export type Settlement = {
  settlementId: string;
  settlementStatus: "pending" | "settled" | "failed";
  txHash: string | null;
  network: "base" | "base-sepolia";
  payer: string;
  payee: string;
  amount: string;
  asset: string;
  purpose: string;
  resource: string;
  description: string;
  failureCode: string | null;
  stillValidUntil: string | null;
  blockNumber: string | null;
  createdAt: string;
  endedAt: string | null;
  receiptUrl: string;
};

export type ApprovalSummary = {
  kind: "payment" | "payout" | "payee";
  title: string;
  text: string;
  agentName: string;
  amount: string;
  amountFormatted: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  recipients: number;
  payee: {
    address: string;
    known: {
      isFirst: boolean;
      isInAddressBook: boolean;
      resemblesKnown: boolean;
      confirmedBy: "host" | "owner" | null;
      hostHistory: {
        paid: number;
        delivered: number;
        unseen: number;
        refused: number;
        priceAsListed: number;
        addressesPaid: number;
        listedAmount: string | null;
        lastPayTo: string | null;
        lastPaidAt: string | null;
      } | null;
    } | null;
  } | null;
  host: string | null;
  resource: string | null;
  reason: string | null;
  mandate: { mandateId: string; remainingAmount: string; remainingAmountFormatted: string; validUntil: string } | null;
  exceededCap: {
    limitOf: "owner" | "agent";
    window: "24_hours" | "30_days";
    maxAmount: string;
    remainingAmount: string;
    availableAt: string | null;
    canAsk: boolean;
  } | null;
  expiresAt: string | null;
};

export type RegisterBody = { agent_name: string; client_info: string; email?: (string | null) | undefined };

export type RegisterResponse = { agent_id: string; token: string; jwt: string };

export type RotateTokenBody = { agent_id: string; token: string; revoke_old?: boolean | undefined };

export type RotateTokenResponse = { token: string; jwt: string; old_token_expires_at: number | null };

export type AgentCardResponse = { agent_id: string; agent_name: string; created_at: string; wallet_linked: boolean };

export type IssueCredentialBody = { challenge: string; ttl_seconds: number; audience: string };

export type IssueCredentialResponse = { vc: string; jti: string; issued_at: number; expires_at: number; kid: string };

export type VerifyCredentialBody = {
  vc: string;
  expected_audience?: string | undefined;
  expected_challenge?: string | undefined;
};

export type VerifyCredentialResponse =
  | {
      valid: true;
      payload: {
        typ: "agent-vc";
        sub: string;
        iss: "service-agent-did";
        aud: string;
        jti: string;
        challenge: string;
        iat: number;
        exp: number;
        email?: string | undefined;
        wallet_address?: string | undefined;
      };
    }
  | { valid: false; error: "audience_mismatch" | "challenge_mismatch" };

export type StatusQuery = { network?: string | undefined; txLimit?: string | undefined };

export type StatusResponse = {
  status: "ok";
  network: "base" | "base-sepolia";
  agent: {
    id: string;
    externalAgentId: string;
    name: string;
    isAuthorized: boolean;
    authorizationExpiry: null;
    walletAddress: string | null;
    ownerAddress: string | null;
  };
  balances: {
    usdc: { available: string; availableFormatted: string };
    credits: { available: string; availableFormatted: string };
  };
  mandates: { open: number; total: number; items: Array<Mandate>; itemsTruncated: boolean };
  spendingCaps: Array<{
    network: "base" | "base-sepolia";
    agentId: string | null;
    last24Hours: { cap: string; usedAmount: string; remainingAmount: string } | null;
    last30Days: { cap: string; usedAmount: string; remainingAmount: string } | null;
    waitingMax: number;
  }>;
  recentTransactions: { items: Array<Payment>; limit: number; hasMore: boolean };
};

export type UnlinkResponse = { status: "ok"; agentStatus: "ready" | "needs_wallet_authorization"; ownerAddress: null };

export type CreateMandateBody = {
  intent: {
    naturalLanguage: string;
    category?: string | null | undefined;
    currency?: string | undefined;
    network?: string | undefined;
    limitAmount: string;
    maxAmountPerPayment?: (string | null) | undefined;
    maxAmountPerDay?: (string | null) | undefined;
    maxAmountPerMonth?: (string | null) | undefined;
    validForSeconds: number;
    hostAllowlist?: (Array<string> | null) | undefined;
    confirmPayees?: boolean | null | undefined;
    vault?:
      | ({
          agentKey?: (string | null) | undefined;
          payees?: (Array<string> | null) | undefined;
          release?: ({ amount: string; seconds: number } | null) | undefined;
        } | null)
      | undefined;
  };
};

export type CreateMandateResponse = {
  status: "ok";
  mandateId: string;
  authorizationUrl: string;
  expiresAt: string;
  agentStatus: "ready" | "needs_wallet_authorization";
  ownerAddress: string | null;
};

export type ListMandatesQuery = { limit?: string | undefined; cursor?: string | undefined };

export type ListMandatesResponse = {
  status: "ok";
  agentStatus: "ready" | "needs_wallet_authorization";
  mandates: Array<Mandate>;
  nextCursor: string | null;
};

export type EligibleMandatesQuery = {
  host: string;
  amount: string;
  currency?: string | undefined;
  network?: string | undefined;
};

export type EligibleMandatesResponse = {
  status: "ok";
  criteria: { host: string; amount: string; currency: "USDC"; network: "base" | "base-sepolia" };
  eligibleMandates: Array<Mandate>;
  uncovered: { code: string; message: string; mandateId: string | null; authorizationUrl: string | null } | null;
};

export type GetMandateResponse = {
  mandateId: string;
  agentId: string;
  mode: "wallet" | "vault";
  vault: {
    address: string;
    factory: string;
    funding: "now" | "permit";
    state: "opening" | "open" | "closing" | "closed" | "failed";
    failure: string | null;
    funded: string;
    balance: string;
    spent: string;
    returned: string;
    released: string;
    release: { amount: string; seconds: number } | null;
    agentKey: string | null;
    payees: number | null;
    pocket: { address: string; balance: string } | null;
    isRevoked: boolean;
    readAtBlock: string | null;
  } | null;
  status: "ok";
  isEnabled: boolean;
  requestedBy: "agent" | "owner";
  naturalLanguage: string;
  category: string | null;
  currency: "USDC";
  network: "base" | "base-sepolia";
  limitAmount: string;
  limitAmountFormatted: string;
  maxAmountPerPayment: string | null;
  maxAmountPerDay: string | null;
  maxAmountPerMonth: string | null;
  today: { usedAmount: string; remainingAmount: string; resetsAt: string } | null;
  thisMonth: { usedAmount: string; remainingAmount: string; resetsAt: string } | null;
  spentAmount: string;
  spentAmountFormatted: string;
  pendingSpentAmount: string;
  pendingSpentAmountFormatted: string;
  remainingAmount: string;
  remainingAmountFormatted: string;
  validFrom: string;
  validUntil: string;
  hostAllowlist: Array<string>;
  asked: {
    limitAmount: string;
    maxAmountPerPayment: string | null;
    maxAmountPerDay: string | null;
    maxAmountPerMonth: string | null;
    validUntil: string;
    hostAllowlist: Array<string>;
  } | null;
  confirmPayees: boolean;
  mandateHash: string | null;
  replaces: string | null;
  replacedBy: string | null;
  signedAt: string | null;
  createdAt: string;
  updatedAt: string;
  detailsUrl: string;
  signUrl: string;
  mandate: Mandate;
};

export type SignPaymentBody = {
  scheme?: string | undefined;
  network?: string | undefined;
  currency?: string | undefined;
  assetAddress?: string | undefined;
  host?: string | undefined;
  resource: string;
  description?: string | undefined;
  tokenName?: string | undefined;
  tokenVersion?: string | undefined;
  validityWindowSeconds?: number | undefined;
  amount: string;
  challenge?: { id: string; realm: string; expires?: string | undefined } | undefined;
  payTo: string;
  mandateId: string;
  method?: string | undefined;
};

export type SignPaymentResponse =
  | {
      status: "ok";
      xPaymentB64: string;
      xPayment:
        | {
            x402Version: 1;
            scheme: "exact";
            network: string;
            payload: {
              signature: string;
              authorization: {
                from: string;
                to: string;
                value: string;
                validAfter: string;
                validBefore: string;
                nonce: string;
              };
            };
          }
        | { x402Version: 1; scheme: "exact"; network: "service-credits"; payload: { jws: string } };
      paymentRecordId: string;
      expiresAt: number;
    }
  | (
      | {
          status: "payee_confirmation_required";
          code: "payee_confirmation_required";
          message: string;
          payeeId: string;
          approvalUrl: string;
          origin: string;
          network: "base" | "base-sepolia";
          payTo: string;
          why: "method" | "private_address" | "port" | "no_answer" | "not_402" | "other_terms";
          summary: ApprovalSummary;
          payment_model_context: { primer: string; instructions: string };
        }
      | {
          status: "approval_required";
          code: "approval_required";
          message: string;
          approvalId: string;
          approvalUrl: string;
          expiresAt: number;
          agentStatus: "ready" | "needs_wallet_authorization";
          summary: ApprovalSummary;
          payment_model_context: { primer: string; instructions: string };
        }
    );

export type SignPaymentV2Body = {
  mandateId: string;
  method?: string | undefined;
  agentAuthorization?: { validAfter: string; validBefore: string; nonce: string; signature: string } | undefined;
  paymentRequest?: Record<string, unknown> | undefined;
  paymentRequestB64?: string | undefined;
  resource?: string | undefined;
  preferredAssets?: Array<{ network: string; asset: string }> | undefined;
};

export type SignPaymentV2Response =
  | {
      status: "ok";
      paymentPayloadB64: string;
      paymentPayload: {
        x402Version: 2;
        resource: unknown;
        accepted: unknown;
        payload: {
          signature: string;
          authorization: {
            from: string;
            to: string;
            value: string;
            validAfter: string;
            validBefore: string;
            nonce: string;
          };
        };
        extensions?: Record<string, unknown> | undefined;
      };
      paymentRecordId: string;
      expiresAt: number;
    }
  | (
      | {
          status: "payee_confirmation_required";
          code: "payee_confirmation_required";
          message: string;
          payeeId: string;
          approvalUrl: string;
          origin: string;
          network: "base" | "base-sepolia";
          payTo: string;
          why: "method" | "private_address" | "port" | "no_answer" | "not_402" | "other_terms";
          summary: ApprovalSummary;
          payment_model_context: { primer: string; instructions: string };
        }
      | {
          status: "approval_required";
          code: "approval_required";
          message: string;
          approvalId: string;
          approvalUrl: string;
          expiresAt: number;
          agentStatus: "ready" | "needs_wallet_authorization";
          summary: ApprovalSummary;
          payment_model_context: { primer: string; instructions: string };
        }
    );

export type ApprovePaymentBody = {
  scheme?: string | undefined;
  network?: string | undefined;
  currency?: string | undefined;
  assetAddress?: string | undefined;
  host?: string | undefined;
  resource: string;
  description?: string | undefined;
  tokenName?: string | undefined;
  tokenVersion?: string | undefined;
  validityWindowSeconds?: number | undefined;
  amount: string;
  challenge?: { id: string; realm: string; expires?: string | undefined } | undefined;
  payTo: string;
  approvalId?: string | undefined;
};

export type ApprovePaymentResponse =
  | {
      status: "ok";
      xPaymentB64: string;
      xPayment: {
        x402Version: 1;
        scheme: "exact";
        network: string;
        payload: {
          signature: string;
          authorization: {
            from: string;
            to: string;
            value: string;
            validAfter: string;
            validBefore: string;
            nonce: string;
          };
        };
      };
      paymentRecordId: string;
      expiresAt: number;
    }
  | {
      status: "approval_required";
      code: "approval_required";
      message: string;
      approvalId: string;
      approvalUrl: string;
      expiresAt: number;
      agentStatus: "ready" | "needs_wallet_authorization";
      summary: ApprovalSummary;
      payment_model_context: { primer: string; instructions: string };
    };

export type ListPaymentsQuery = { limit?: string | undefined; cursor?: string | undefined };

export type ListPaymentsResponse = { status: "ok"; payments: Array<Payment>; nextCursor: string | null };

export type GetPaymentResponse = {
  paymentRecordId: string;
  mandateId: string | null;
  status: "ok";
  amount: string;
  amountFormatted: string;
  currency: "USDC" | "CREDITS";
  network: "base" | "base-sepolia" | "service-credits";
  assetAddress: string;
  from: string;
  payTo: string;
  host: string;
  resource: string;
  description: string;
  nonce: string;
  validBefore: number;
  txHash: string | null;
  createdAt: string;
  settledAt: string | null;
  payment: Payment;
};

export type HostHistoryQuery = { resource: string; network?: string | undefined };

export type HostHistoryResponse = {
  status: "ok";
  network: "base" | "base-sepolia";
  hostHistory: {
    paid: number;
    delivered: number;
    unseen: number;
    refused: number;
    priceAsListed: number;
    addressesPaid: number;
    listedAmount: string | null;
    lastPayTo: string | null;
    lastPaidAt: string | null;
  } | null;
};

export type CreatePayoutBody = {
  payoutId?: (string | null) | undefined;
  toAddress?: (string | null) | undefined;
  recipients?:
    | (Array<{ toAddress: string; amount?: string | undefined; shareBps?: number | undefined }> | null)
    | undefined;
  amount?: (string | null) | undefined;
  currency?: string | undefined;
  network?: string | undefined;
  assetAddress?: string | null | undefined;
  bizId?: string | null | undefined;
  description?: string | null | undefined;
  agentId?: string | null | undefined;
  mandateId?: string | null | undefined;
};

export type CreatePayoutResponse = {
  payoutId: string;
  payoutRecordId: string;
  status:
    | "pending_authorization"
    | "authorized"
    | "processing"
    | "succeeded"
    | "failed"
    | "expired"
    | "denied"
    | "cancelled";
  txHash: string | null;
  toAddress: string | null;
  amount: string;
  amountFormatted: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  assetAddress: string;
  agentId: string | null;
  agentName: string | null;
  mandateId: string | null;
  bizId: string | null;
  description: string;
  legs: Array<{
    index: number;
    toAddress: string;
    amount: string;
    amountFormatted: string;
    shareBps: number | null;
    status: "pending" | "settled" | "failed" | null;
    txHash: string | null;
    failureCode: string | null;
    stillValidUntil: string | null;
    settlementId: string | null;
    receiptUrl: string | null;
  }>;
  failureReason: string | null;
  approvalUrl: string | null;
  expiresAt: number;
  createdAt: string;
  approvedAt: string | null;
  executedAt: string | null;
  confirmations: number | null;
  payout: Payout;
  summary: ApprovalSummary | null;
};

export type ListPayoutsQuery = {
  status?:
    | "pending_authorization"
    | "authorized"
    | "processing"
    | "succeeded"
    | "failed"
    | "expired"
    | "denied"
    | "cancelled"
    | undefined;
  network?: string | undefined;
  bizId?: string | undefined;
  limit?: string | undefined;
  cursor?: string | undefined;
};

export type ListPayoutsResponse = { status: "ok"; payouts: Array<Payout>; nextCursor: string | null };

export type GetPayoutResponse =
  | {
      payoutId: string;
      payoutRecordId: string;
      status:
        | "pending_authorization"
        | "authorized"
        | "processing"
        | "succeeded"
        | "failed"
        | "expired"
        | "denied"
        | "cancelled";
      txHash: string | null;
      toAddress: string | null;
      amount: string;
      amountFormatted: string;
      currency: "USDC";
      network: "base" | "base-sepolia";
      assetAddress: string;
      agentId: string | null;
      agentName: string | null;
      mandateId: string | null;
      bizId: string | null;
      description: string;
      legs: Array<{
        index: number;
        toAddress: string;
        amount: string;
        amountFormatted: string;
        shareBps: number | null;
        status: "pending" | "settled" | "failed" | null;
        txHash: string | null;
        failureCode: string | null;
        stillValidUntil: string | null;
        settlementId: string | null;
        receiptUrl: string | null;
      }>;
      failureReason: string | null;
      approvalUrl: string | null;
      expiresAt: number;
      createdAt: string;
      approvedAt: string | null;
      executedAt: string | null;
      confirmations: number | null;
      payout: Payout;
      summary: ApprovalSummary | null;
    }
  | {
      payoutId: string;
      status:
        | "pending_authorization"
        | "authorized"
        | "processing"
        | "succeeded"
        | "failed"
        | "expired"
        | "denied"
        | "cancelled";
      txHash: string | null;
      payout: {
        payoutId: string;
        status:
          | "pending_authorization"
          | "authorized"
          | "processing"
          | "succeeded"
          | "failed"
          | "expired"
          | "denied"
          | "cancelled";
        txHash: string | null;
      };
    };

export type CancelPayoutResponse = {
  payoutId: string;
  payoutRecordId: string;
  status:
    | "pending_authorization"
    | "authorized"
    | "processing"
    | "succeeded"
    | "failed"
    | "expired"
    | "denied"
    | "cancelled";
  txHash: string | null;
  toAddress: string | null;
  amount: string;
  amountFormatted: string;
  currency: "USDC";
  network: "base" | "base-sepolia";
  assetAddress: string;
  agentId: string | null;
  agentName: string | null;
  mandateId: string | null;
  bizId: string | null;
  description: string;
  legs: Array<{
    index: number;
    toAddress: string;
    amount: string;
    amountFormatted: string;
    shareBps: number | null;
    status: "pending" | "settled" | "failed" | null;
    txHash: string | null;
    failureCode: string | null;
    stillValidUntil: string | null;
    settlementId: string | null;
    receiptUrl: string | null;
  }>;
  failureReason: string | null;
  approvalUrl: string | null;
  expiresAt: number;
  createdAt: string;
  approvedAt: string | null;
  executedAt: string | null;
  confirmations: number | null;
  payout: Payout;
  summary: ApprovalSummary | null;
};

export type CreateLinkBody = {
  amount: string;
  currency?: "USDC" | undefined;
  network?: string | undefined;
  description?: string | undefined;
  title?: string | null | undefined;
  disabledMessage?: string | null | undefined;
  taxNote?: string | null | undefined;
  reference?: string | null | undefined;
  metadata?: (Record<string, string> | null) | undefined;
  resourceContent?: string | null | undefined;
  fileId?: string | null | undefined;
  imageId?: string | null | undefined;
  redirectUrl?: (string | null) | undefined;
  cancelUrl?: (string | null) | undefined;
  customAmount?: ({ min: string; max: string; presets?: Array<string> | undefined } | null) | undefined;
  maxQuantity?: (number | null) | undefined;
  fields?: Array<{ name: string; label: string; isRequired?: boolean | undefined }> | undefined;
  expiresAt?: (string | null) | undefined;
  maxUses?: (number | null) | undefined;
  isListed?: boolean | undefined;
  isRepeatable?: boolean | undefined;
  upstream?:
    | ({
        kind?: "http" | "mcp" | undefined;
        url: string;
        headers?: Record<string, string> | undefined;
        methods?: Array<"GET" | "POST" | "PUT" | "PATCH" | "DELETE"> | undefined;
        paths?: Array<{ path: string; amount?: (string | null) | undefined }> | undefined;
        tools?: Array<{ name: string; amount?: (string | null) | undefined }> | undefined;
        secondsMax?: number | undefined;
        answerBytesMax?: number | undefined;
        pass?:
          | ({
              calls?: (number | null) | undefined;
              hours?: (number | null) | undefined;
              isByUse?: boolean | undefined;
              amount: string;
              isRefundable?: boolean | undefined;
            } | null)
          | undefined;
      } | null)
    | undefined;
};

export type CreateLinkResponse = { success: true; paymentLink: PaymentLink };

export type ListLinksQuery = { limit?: string | undefined; cursor?: string | undefined };

export type ListLinksResponse = { success: true; paymentLinks: Array<PaymentLink>; nextCursor: string | null };

export type GetLinkResponse = { success: true; paymentLink: PaymentLink };

export type UpdateLinkBody = {
  title?: string | null | undefined;
  disabledMessage?: string | null | undefined;
  taxNote?: string | null | undefined;
  description?: string | undefined;
  cancelUrl?: (string | null) | undefined;
  resourceContent?: string | null | undefined;
  fileId?: string | null | undefined;
  imageId?: string | null | undefined;
  redirectUrl?: (string | null) | undefined;
  status?: "active" | "disabled" | undefined;
  expiresAt?: (string | null) | undefined;
  maxUses?: (number | null) | undefined;
  isListed?: boolean | undefined;
  isRepeatable?: boolean | undefined;
  upstream?:
    | ({
        kind?: "http" | "mcp" | undefined;
        url: string;
        headers?: Record<string, string> | undefined;
        methods?: Array<"GET" | "POST" | "PUT" | "PATCH" | "DELETE"> | undefined;
        paths?: Array<{ path: string; amount?: (string | null) | undefined }> | undefined;
        tools?: Array<{ name: string; amount?: (string | null) | undefined }> | undefined;
        secondsMax?: number | undefined;
        answerBytesMax?: number | undefined;
        pass?:
          | ({
              calls?: (number | null) | undefined;
              hours?: (number | null) | undefined;
              isByUse?: boolean | undefined;
              amount: string;
              isRefundable?: boolean | undefined;
            } | null)
          | undefined;
      } | null)
    | undefined;
};

export type UpdateLinkResponse = { success: true; paymentLink: PaymentLink };

export type DeleteLinkResponse = { success: true; message: string };

export type LinkPaymentsQuery = { limit?: string | undefined; cursor?: string | undefined };

export type LinkPaymentsResponse = { success: true; payments: Array<ReceivedPayment>; nextCursor: string | null };

export type ListReceivedQuery = {
  limit?: string | undefined;
  cursor?: string | undefined;
  offset?: string | undefined;
};

export type ListReceivedResponse = { success: true; payments: Array<ReceivedPayment>; nextCursor: string | null };

export type GetReceivedResponse = { success: true; payment: ReceivedPayment };

export type CreateRefundBody = { paymentId: number; amount?: string | undefined; reason?: string | undefined };

export type CreateRefundResponse = Refund;

export type ListRefundsQuery = { limit?: string | undefined; cursor?: string | undefined; offset?: string | undefined };

export type ListRefundsResponse = { success: true; refunds: Array<Refund>; nextCursor: string | null };

export type GetRefundResponse = Refund;

export type CancelRefundResponse = Refund;

export type DiscoverFirewallResponse = {
  name: string;
  version: string;
  description: string;
  firewallId: string;
  rulesetVersion: string;
  endpoints: Array<{
    path: string;
    url: string;
    method: "POST";
    description: string;
    price: string | null;
    currency: "USDC";
    priceAtomic: string | null;
    priceCredits: string | null;
    enabled: boolean;
    bodyLimitBytes: number;
    inputSchema: unknown;
    paymentOptions: Array<unknown>;
  }>;
  networks: Array<string>;
  paymentRequired: true;
};

export type ListScansQuery = { limit?: number | undefined; cursor?: string | undefined };

export type ListScansResponse = {
  status: "ok";
  scans: Array<{
    scanId: string;
    kind: "scan" | "x402-scan" | "prompt-scan";
    verdict: "pass" | "review" | "block";
    riskScore: number;
    codes: Array<string>;
    rulesetVersion: string;
    settlementId: string | null;
    paymentRecordId: string | null;
    createdAt: string;
  }>;
  nextCursor: string | null;
};

export type TopUpCreditsBody = { amount: string; agentId?: string | undefined };

export type TopUpCreditsResponse =
  | {
      success: true;
      txHash: string | null;
      settledAmount: string;
      network: "base" | "base-sepolia";
      payer: string;
      payee: string;
      settlementId: string;
      receiptUrl: string;
    }
  | { status: "pending"; message: string; settlementId: string; txHash: string | null };

export type GetBalanceQuery = { code?: "true" | undefined };

export type GetBalanceResponse = {
  status: "ok";
  network: "base" | "base-sepolia";
  address: string;
  balance: string | null;
  balanceFormatted: string | null;
  hasCode?: boolean | null | undefined;
  takesUndeployed?: boolean | undefined;
};

export type MintTestUsdcBody = { address: string; amount?: string | undefined; network?: string | undefined };

export type MintTestUsdcResponse = { status: "ok"; txHash: string; balance: string };

export type CreateInvoiceBody = {
  buyer: { name: string; email?: (string | null) | undefined; address?: string | null | undefined };
  number?: (string | null) | undefined;
  issueDate?: (string | null) | undefined;
  dueDate: string;
  isPayableAfterDue?: boolean | undefined;
  lines: Array<{ description: string; quantity?: string | undefined; unitAmount: string }>;
  tax?: ({ label?: string | undefined; percent?: string | undefined; amount?: string | undefined } | null) | undefined;
  note?: string | null | undefined;
  sellerDetails?: string | null | undefined;
  currency?: "USDC" | undefined;
  network?: string | undefined;
};

export type CreateInvoiceResponse = { success: true; invoice: Invoice };

export type ListInvoicesQuery = { limit?: string | undefined; cursor?: string | undefined };

export type ListInvoicesResponse = { success: true; invoices: Array<InvoiceItem>; nextCursor: string | null };

export type GetInvoiceResponse = { success: true; invoice: Invoice };

export type CancelInvoiceResponse = { success: true; invoice: Invoice; message: string };

export type ListResourcesQuery = {
  type?: string | undefined;
  payTo?: string | undefined;
  scheme?: string | undefined;
  network?: string | undefined;
  extensions?: string | undefined;
  limit?: string | undefined;
  offset?: string | undefined;
};

export type ListResourcesResponse = {
  x402Version: 2;
  items: Array<{
    resource: string;
    type: "http";
    x402Version: 2;
    accepts: Array<Record<string, unknown>>;
    lastUpdated: string;
    description: string;
    mimeType: string;
    serviceName: string;
    openapi?: string | undefined;
    extensions: Record<string, unknown>;
  }>;
  pagination: { limit: number; offset: number; total: number };
};

export type SearchResourcesQuery = {
  type?: string | undefined;
  payTo?: string | undefined;
  scheme?: string | undefined;
  network?: string | undefined;
  extensions?: string | undefined;
  limit?: string | undefined;
  query: string;
  cursor?: string | undefined;
};

export type SearchResourcesResponse = {
  x402Version: 2;
  resources: Array<{
    resource: string;
    type: "http";
    x402Version: 2;
    accepts: Array<Record<string, unknown>>;
    lastUpdated: string;
    description: string;
    mimeType: string;
    serviceName: string;
    openapi?: string | undefined;
    extensions: Record<string, unknown>;
  }>;
  partialResults: boolean;
  pagination: { limit: number; cursor: string | null };
};

export type WellKnownX402Response = { version: 1; resources: Array<string>; instructions: string };

export type GetSettlementQuery = { key?: string | undefined };

export type GetSettlementResponse = {
  settlementId: string;
  settlementStatus: "pending" | "settled" | "failed";
  txHash: string | null;
  network: "base" | "base-sepolia";
  payer: string;
  payee: string;
  amount: string;
  asset: string;
  purpose: string;
  resource: string;
  description: string;
  failureCode: string | null;
  stillValidUntil: string | null;
  blockNumber: string | null;
  createdAt: string;
  endedAt: string | null;
  receiptUrl: string;
  status: "ok";
  refundedAmount: string;
  content?: string | null | undefined;
  file?: { name: string; bytes: number; sha256: string; url: string; urlExpiresAt: string } | undefined;
  redirectUrl?: string | undefined;
};

export type GetReceiptResponse =
  | {
      success: true;
      receipt: {
        iss: string;
        sub: string;
        iat: number;
        txHash: string;
        blockNumber: string;
        network: "base" | "base-sepolia";
        asset: string;
        payer: string;
        payee: string;
        amount: string;
        currency: "USDC";
        description: string;
        resource: string;
        settledAt: string;
        linkId: string | null;
      };
      jws: string;
    }
  | { status: "pending"; message: string; settlementId: string; txHash: string | null };

export type GetCancellationResponse = {
  status: "ok";
  payer: string;
  stillValidUntil: string | null;
  typedData: {
    domain: { name: string; version: string; chainId: number; verifyingContract: string };
    types: {
      EIP712Domain: Array<{ name: string; type: string }>;
      CancelAuthorization: Array<{ name: string; type: string }>;
    };
    primaryType: "CancelAuthorization";
    message: { authorizer: string; nonce: string };
  };
};

export type PostCancellationBody = { signature: string };

export type PostCancellationResponse = {
  status: "ok" | "pending";
  settlementId: string;
  settlementStatus: "pending" | "failed";
  failureCode: string | null;
  stillValidUntil: string | null;
};
