import type { Sayings } from "./said";
import {
  CREATED,
  FIREWALL,
  KEY,
  LAST_PAGE,
  LINK,
  OK,
  ORIGIN,
  SCAN,
  SELLER,
  SETTLEMENT,
  SIGNATURE,
  TX_HASH,
  UPDATED,
  USDC,
  WALLET,
} from "./values";
import { authorization, pending, receiptUrl, settledPayment, settlement } from "./views";

const accepted = {
  scheme: "exact",
  network: "eip155:8453",
  amount: "10000",
  asset: USDC,
  payTo: SELLER,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2", primaryType: "TransferWithAuthorization" },
};

const SOLD =
  "Anybody may buy it. Without a payment, the answer is 402 with the price, whatever the body; send the same body with the proof. A request that is refused costs nothing.";
const verdict = {
  verdict: "pass",
  riskScore: 0,
  findings: [],
  limitations: "The scan reads the text only. It does not follow links.",
};
const scanned = { 200: verdict, 202: { ...pending, instructions: "Send the same request again with the same proof." } };
const scanPath = `/api/transaction-firewall/${FIREWALL}/api/prompt-scan`;

export const FIREWALLS: Sayings = {
  discoverFirewall: {
    description:
      "Read it once to learn which scans are enabled and what they cost, in USDC and in service credits. It is free. `inputSchema` is the JSON Schema of a scan's body.",
    responses: {
      200: {
        name: "Tessera firewall",
        version: "2",
        description: "Deterministic scanners",
        firewallId: FIREWALL,
        rulesetVersion: "2+4f2a9c1b",
        endpoints: [
          {
            path: scanPath,
            url: `${ORIGIN}${scanPath}`,
            method: "POST",
            description: "Scan untrusted text",
            price: "0.01",
            currency: "USDC",
            priceAtomic: "10000",
            priceCredits: "1",
            enabled: true,
            bodyLimitBytes: 32_768,
            inputSchema: { type: "object" },
            paymentOptions: [],
          },
        ],
        networks: ["base", "service-credits"],
        paymentRequired: true,
      },
    },
  },
  scanPromptSold: {
    description: `Finds instructions that a text hides for a model. ${SOLD}`,
    request: { text: "The weather in Bern is fine today." },
    responses: scanned,
  },
  scanTransactionSold: {
    description: `Says what a transaction would do before somebody signs it, for example an approval without limit. ${SOLD}`,
    request: { chainId: 8453, to: USDC, data: "0xa9059cbb" },
    responses: scanned,
  },
  scanX402Sold: {
    description: `Compares a seller's 402 with what you mean to pay. ${SOLD}`,
    request: {
      paymentRequired: { x402Version: 2, accepts: [accepted] },
      expected: { network: "base", maxAmountAtomic: "10000", payTo: SELLER },
    },
    responses: scanned,
  },
  listScans: {
    description:
      "Scans that somebody else paid for are listed too, if they named the agent. The scanned text is not stored, only the verdict and its codes.",
    responses: {
      200: {
        ...OK,
        scans: [
          {
            scanId: SCAN,
            kind: "prompt-scan",
            verdict: "pass",
            riskScore: 0,
            codes: [],
            rulesetVersion: "2+4f2a9c1b",
            settlementId: SETTLEMENT,
            paymentRecordId: null,
            createdAt: CREATED,
          },
        ],
        ...LAST_PAGE,
      },
    },
  },
};

/** What the facilitator reads of a requirement; it ignores other members. */
const { maxTimeoutSeconds: _seconds, extra: _extra, ...terms } = accepted;

const facilitatorRequest = {
  x402Version: 2,
  paymentPayload: {
    x402Version: 2,
    accepted: { ...accepted, amount: "500000" },
    payload: { signature: SIGNATURE, authorization },
  },
  paymentRequirements: { ...terms, amount: "500000" },
};

const key = {
  keyId: KEY,
  name: "Shop",
  secretStart: "tsk_4fQ8",
  requestsPerMinute: 600,
  settlementsPerDay: 10_000,
  lastUsedAt: null,
  revokedAt: null,
  createdAt: CREATED,
};

export const FACILITATOR: Sayings = {
  verifyPayment: {
    description:
      "Point the `HTTPFacilitatorClient` of any x402 server at `/facilitator`. Nothing is claimed or moved: deliver only after `settle`. `invalidReason` is a code of the protocol.",
    request: facilitatorRequest,
    responses: { 200: { isValid: true, payer: WALLET } },
  },
  settlePayment: {
    description:
      "It moves the buyer's money to the seller; this service pays the gas. `errorReason: settlement_pending` means that the outcome is not known yet: send the same request again, and do not deliver before it says `success`.",
    request: facilitatorRequest,
    responses: {
      200: {
        success: true,
        payer: WALLET,
        transaction: TX_HASH,
        network: "eip155:8453",
        extra: { settlementId: SETTLEMENT, receiptUrl },
      },
    },
  },
  getSupported: {
    description: "Servers read it when they start. It needs no API key.",
    responses: {
      200: {
        kinds: [
          { x402Version: 1, scheme: "exact", network: "base" },
          { x402Version: 2, scheme: "exact", network: "eip155:8453" },
        ],
        extensions: [],
        signers: { "eip155:*": [SELLER] },
      },
    },
  },
  listKeys: {
    description: "Only the first characters of a secret are kept; `lastUsedAt` is accurate to a minute.",
    responses: { 200: { ...OK, keys: [key] } },
  },
  createKey: {
    description:
      "Give each seller a key of its own, so that it can be limited and revoked alone. Store `secret` now: it cannot be read again.",
    request: { name: "Shop", requestsPerMinute: 600 },
    responses: { 201: { ...OK, key, secret: "tsk_4fQ8Lm2NvXc7Rt9Wp1Zs6Yb3" } },
  },
  updateKey: {
    description: "New limits count from the next request on. A revoked key cannot be changed.",
    request: { settlementsPerDay: 20_000 },
    responses: { 200: { ...OK, key: { ...key, settlementsPerDay: 20_000 } } },
  },
  revokeKey: {
    description:
      "Its next request is answered 401 `invalid_api_key`. Payments that it has begun to settle still end; revoking again changes nothing.",
    responses: { 200: { ...OK, key: { ...key, revokedAt: UPDATED } } },
  },
  listFacilitatorPayments: {
    description: "Which key settled what for whom, with the state on the chain. `keyId` lists those of one key.",
    responses: {
      200: {
        ...OK,
        payments: [{ ...settlement, purpose: "facilitator", keyId: KEY, keyName: "Shop" }],
        ...LAST_PAGE,
      },
    },
  },
};

const listed = {
  resource: `${ORIGIN}/pay/${LINK}`,
  type: "http",
  x402Version: 2,
  accepts: [accepted],
  lastUpdated: UPDATED,
  description: "A report",
  mimeType: "application/json",
  serviceName: "Tessera",
  extensions: {},
};

export const DISCOVERY: Sayings = {
  listResources: {
    description:
      "Anybody may read it; nothing is listed without its seller's choice (`isListed`). Request a resource without a payment to get its 402: the list shortens descriptions and leaves out the words of a link's questions. Links with the most sales come first (each payer once, with at least 1 USDC in all, not in test money and not from the seller), older ones before newer ones, and of each seller only some. `offset` and `limit` page through the list. It is up to two seconds old.",
    responses: { 200: { x402Version: 2, items: [listed], pagination: { limit: 20, offset: 0, total: 1 } } },
  },
  searchResources: {
    description:
      "The words may stand in any order and case; the first eight count. `partialResults` says that there are more matches: send `cursor` of `pagination` for them.",
    responses: {
      200: { x402Version: 2, resources: [listed], partialResults: false, pagination: { limit: 20, cursor: null } },
    },
  },
  wellKnownX402: {
    description: "Where crawlers of x402 look first. `instructions` is a text for people and language models.",
    responses: {
      200: { version: 1, resources: [listed.resource], instructions: "Request a resource to get its price." },
    },
  },
};

const movement = { ...OK, settlementId: SETTLEMENT, settlementStatus: "settled", txHash: TX_HASH, amount: "1000000" };

export const CREDITS: Sayings = {
  topUp: {
    description:
      "Anybody may pay; the credits belong to the owner of the agent in `agentId` or `X-Agent-ID`. One USDC is one credit, in whole cents. Without a payment, the answer is 402 with the price.",
    request: { amount: "1000000" },
    responses: { 200: settledPayment, 202: pending },
  },
  buyCredits: {
    description:
      "One USDC is one credit, in whole cents. Credits pay for this service's own scans without a transfer for each, and cannot be turned back into USDC. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
    request: { amount: "1000000" },
    responses: { 200: movement, 202: { ...movement, settlementStatus: "pending", txHash: null } },
  },
  getCredits: {
    description:
      "`balance` is in hundredths of a credit. It can be negative after a purchase was undone by the chain whose credits were spent already.",
    responses: {
      200: {
        ...OK,
        balance: "99",
        balanceFormatted: "0.99",
        transactions: [
          {
            transactionId: "crd_4hJkL9zXcVbN2mQwErTyU7iO",
            kind: "top_up",
            amount: "100",
            amountFormatted: "1.00",
            settlementId: SETTLEMENT,
            paymentRecordId: null,
            createdAt: CREATED,
          },
        ],
        ...LAST_PAGE,
      },
    },
  },
};
