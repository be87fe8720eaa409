import type { Sayings } from "./said";
import {
  AGENT,
  BROWSER,
  CREATED,
  NEXT_MONTH,
  NONCE,
  OK,
  ORIGIN,
  OWNER,
  SESSION,
  SETTLEMENT,
  SIGNATURE,
  SOON_SECONDS,
  TOKEN,
  TX_HASH,
  UPDATED,
  USDC,
  WALLET,
} from "./values";
import { agent } from "./views";

const movement = { ...OK, settlementId: SETTLEMENT, settlementStatus: "settled", txHash: TX_HASH, amount: "1000000" };
const movementResponses = { 200: movement, 202: { ...movement, settlementStatus: "pending", txHash: null } };

const deposit = {
  from: OWNER,
  to: WALLET,
  value: "1000000",
  validAfter: "0",
  validBefore: String(SOON_SECONDS),
  nonce: NONCE,
};

const settings = {
  ...OK,
  isAvailable: true,
  email: "owner@example.com",
  isConfirmed: true,
  kinds: ["approval_wanted", "payment_refused"],
};

const subscription = {
  endpoint: "https://push.example.com/send/4fQ8Lm2NvXc7",
  keys: { p256dh: `B${"Ab3_".repeat(22).slice(0, 86)}`, auth: "Zk3pQ7vN2mLxRt9Wp1Zs6Y" },
};
const browsers = {
  ...OK,
  publicKey: subscription.keys.p256dh,
  browsers: [
    {
      browserId: BROWSER,
      device: "Firefox on Linux",
      endpoint: subscription.endpoint,
      kinds: ["approval_wanted"],
      createdAt: CREATED,
      isOfThisSession: true,
      lastError: null,
    },
  ],
};

const DESCRIPTOR_FILE = `${ORIGIN}/.well-known/erc7730/mandates.json`;

export const OWNERS: Sayings = {
  listAgents: {
    description: "Deleted agents are not in it. `isBound` and `hasSold` say what deleting one would mean.",
    responses: { 200: { ...OK, agents: [agent] } },
  },
  createOwnedAgent: {
    description:
      "It can sell at once: create payment links for it with `POST /api/agents/{agentId}/payment-links`. To spend, it needs a mandate like any other agent.",
    request: { name: "Research agent" },
    responses: { 201: { ...OK, agent, token: TOKEN } },
  },
  updateAgent: {
    description:
      "A new receiving address is for payments that begin later. One that is not the owner's, and a `paymentScan` that refuses less, need a signature. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
    request: { name: "Research agent", paymentScan: "block" },
    responses: { 200: { ...OK, agent: { ...agent, paymentScan: "block" } } },
  },
  deleteAgent: {
    description:
      "Nothing more is signed for it, but proofs that were signed before can still be paid until they expire. A deletion cannot be undone; an agent that is only unlinked can be linked again.",
    responses: { 200: { ...OK, agentId: AGENT, isDeleted: true } },
  },
  rotateAgentToken: {
    description:
      "For an owner whose agent lost its token, or whose token may have leaked: then send `revokeOld: true`. Only after the owner has signed or approved something for the agent. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
    request: { revokeOld: false },
    responses: { 200: { ...OK, agentId: AGENT, token: TOKEN, oldTokenUntil: UPDATED } },
  },
  downloadActivity: {
    description:
      "The table of the dashboard's activity page, with the same filters: what agents did, what the owner decided, and what moved.",
  },
  getWallet: {
    description: "Send USDC to the `address` of a network to fund it, or use a deposit, which costs no gas.",
    responses: {
      200: {
        ...OK,
        owner: OWNER,
        wallets: [
          {
            network: "base",
            label: "Base",
            chainId: 8453,
            address: WALLET,
            balance: "12500000",
            balanceFormatted: "12.50",
            explorerUrl: `https://basescan.org/address/${WALLET}`,
          },
        ],
      },
    },
  },
  getBalance: {
    description:
      "The checkout page shows it to a payer. Anybody may ask for any address. `code=true` asks in addition whether the address is a contract.",
    responses: { 200: { ...OK, network: "base", address: OWNER, balance: "12500000", balanceFormatted: "12.50" } },
  },
  getDepositTypedData: {
    description:
      "Sign it with the owner's own wallet, then send the message and the signature to `POST /api/wallet/deposits`. It moves nothing.",
    responses: {
      200: {
        domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
        types: {
          TransferWithAuthorization: [
            { name: "from", type: "address" },
            { name: "to", type: "address" },
            { name: "value", type: "uint256" },
            { name: "validAfter", type: "uint256" },
            { name: "validBefore", type: "uint256" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "TransferWithAuthorization",
        message: deposit,
      },
    },
  },
  createDeposit: {
    description:
      "The body is the message of the typed data and its signature. It pays the owner's own spending wallet only. After a 202 read `GET /api/settlements/{settlementId}`; the same authorization is never taken twice.",
    request: { network: "base", authorization: deposit, signature: SIGNATURE },
    responses: movementResponses,
  },
  createWithdrawal: {
    description:
      "The owner's way out, which needs no signature because the money can only go to their own address. What is reserved for transfers under way stays. To pay somebody else, create a payout.",
    request: { network: "base", amount: "1000000" },
    responses: movementResponses,
  },
  mintTestDollars: {
    description:
      "On a devnet only; everywhere else it is 404. The money is worth nothing. Without `amount` it is 100 USDC.",
    request: { address: OWNER, amount: "100000000" },
    responses: { 200: { ...OK, txHash: TX_HASH, balance: "100000000" } },
  },
  getLowBalance: {
    description:
      "Of a spending wallet, or of the vault of a mandate: `wallet.low` or `vault.low` follows when a payment leaves less than this, and less than a mandate may still spend. Once, until there is this much again.",
    responses: { 200: { ...OK, threshold: "5000000" } },
  },
  setLowBalance: {
    description: "It only decides when the owner is told. It limits no payment.",
    request: { threshold: "5000000" },
    responses: { 200: { ...OK, threshold: "5000000" } },
  },
  getSignInNonce: {
    description:
      "The first step of a sign-in: put it into the message that the wallet signs, and send both to `/api/auth/callback/siwe` of next-auth, as the sign-in page does.",
    responses: { 200: { nonce: "Zk3pQ7vN2mLxRt9W" } },
  },
  listSessions: {
    description: "`device` is what the browser says about itself. End a session that you do not know.",
    responses: {
      200: {
        ...OK,
        sessions: [
          {
            sessionId: SESSION,
            device: "Firefox on Linux",
            createdAt: CREATED,
            lastSeenAt: UPDATED,
            expiresAt: NEXT_MONTH,
            isCurrent: true,
          },
        ],
      },
    },
  },
  endSession: {
    description: "Its next request is answered 401. Notices to the browser of that session end too.",
    responses: { 200: OK },
  },
  endOtherSessions: {
    description: "For an owner who lost a device, or does not know a session. Their next requests are answered 401.",
    responses: { 200: { ...OK, ended: 2 } },
  },
  search: {
    description:
      "At most five of each kind, the newest first. Searched are the newest 500 of a kind, payments and links at most 50 for each of the newest 50 mandates or agents; an entire id is found whatever its age.",
    responses: {
      200: {
        ...OK,
        results: [{ kind: "agent", title: "Research agent", detail: "Linked", id: AGENT }],
      },
    },
  },
  listenEvents: {
    description:
      "The dashboard refreshes by it. `event: change` has `data: {id, kind}`: the id of the recorded event and its type, or null and a word for a change that is not recorded. `event: ready` is the first one, `event: alive` comes every 15 seconds. With `Last-Event-ID` the stream begins with the recorded events since that one, and those of the minute before it; if it is not among the newest 200, with one change of the kind `missed`. The details are in `GET /api/activity.csv`.",
  },
  getNotices: {
    description:
      "`isAvailable` says whether the operator has set up mail. Nothing but the mail with the link is sent before `isConfirmed`.",
    responses: { 200: settings },
  },
  changeNotices: {
    description:
      "A new address gets one mail with a link that is valid for a day. Other mails are sent once it was followed. `email: null` removes the address.",
    request: { email: "owner@example.com", kinds: settings.kinds },
    responses: { 200: { ...settings, isConfirmed: false } },
  },
  confirmEmail: {
    description:
      "The page of the mail's link calls it, so that programs that only open links confirm nothing. It needs no session.",
    request: { token: "Zk3pQ7vN2mLxRt9Wp1Zs" },
    responses: { 200: OK },
  },
  unsubscribe: {
    description:
      "Mail programs call it when a person unsubscribes there, without a page. The address stays stored; the owner can switch kinds on again.",
    responses: { 200: OK },
  },
  listNoticeBrowsers: {
    description:
      "`publicKey` is the key that a browser needs to subscribe. `lastError` is what its push service said last.",
    responses: { 200: browsers },
  },
  addNoticeBrowser: {
    description:
      "`endpoint` and `keys` are those of the browser's PushSubscription. A browser that is added gets one notice, which says so. It is removed by DELETE, when its session is ended, and when its push service says that the subscription is over.",
    request: { ...subscription, kinds: ["approval_wanted"] },
    responses: { 200: browsers },
  },
  removeNoticeBrowser: {
    description: "The other browsers of the owner, and mails, go on. The response lists those that are left.",
    responses: { 200: { ...browsers, browsers: [] } },
  },
};

export const DOCUMENTS: Sayings = {
  listDescriptors: {
    description:
      "For makers of wallets. Anybody may read it; each entry names a descriptor and the messages that it describes.",
    responses: { 200: { descriptors: [{ url: DESCRIPTOR_FILE, messages: ["SpendingMandate"] }] } },
  },
  getDescriptor: {
    description:
      "`{file}` is the last part of a `url` in the list. It changes with a release only, so it may be cached for an hour.",
    responses: {
      200: {
        $schema: "https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json",
        context: { $id: "Spending mandate", eip712: { domain: { name: "Agent Spending Mandate" } } },
        metadata: { owner: "Tessera" },
        display: { formats: {} },
      },
    },
  },
  callMcp: {
    description:
      "One JSON-RPC message in, one JSON response out. Send a login JWT or the agent's permanent token as `Authorization: Bearer`. Without it, a client can list the tools, register an agent and buy scans by x402.",
  },
  protectedResource: {
    description:
      "Clients of MCP read it after a 401. There is no authorization server: the token is the one of `POST /register`.",
    responses: {
      200: {
        resource: `${ORIGIN}/mcp`,
        resource_name: "Tessera agent wallet",
        bearer_methods_supported: ["header"],
        resource_documentation: `${ORIGIN}/docs/mcp`,
      },
    },
  },
  getOpenApi: {
    description:
      "Generate a client from it, or check one. It changes with a release only: send its `ETag` as `If-None-Match`. The same content for people is at `/docs/reference`.",
  },
};
