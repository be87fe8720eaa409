import type { Rule } from "../verdict.ts";

/** The rules of the x402 scanner. Signals of an unfilled template weigh less than signals of an attack. */
export const x402Rules = {
  notObject: { code: "INVALID_BODY", severity: "critical", message: "paymentRequired is not a JSON object." },
  noOptions: {
    code: "INVALID_BODY",
    severity: "critical",
    message: "accepts is not an array with at least one option.",
  },
  notOption: { code: "INVALID_BODY", severity: "critical", message: "An option is not a JSON object." },
  manyOptions: {
    code: "INVALID_BODY",
    severity: "medium",
    message: "There are more payment options than a client should have to choose from.",
  },
  tooManyOptions: {
    code: "INVALID_BODY",
    severity: "critical",
    message: "There are more payment options than are inspected.",
  },
  badExpected: {
    code: "INVALID_BODY",
    severity: "high",
    message: "A member of expected is malformed, so that nothing can be compared with it.",
  },
  unknownExpected: {
    code: "INVALID_BODY",
    severity: "high",
    message: "expected has an unknown member, perhaps a misspelt one: nothing was compared with it.",
  },
  versionUnknown: {
    code: "UNSUPPORTED_VERSION",
    severity: "critical",
    message: "x402Version is not a known version.",
  },
  versionText: {
    code: "UNSUPPORTED_VERSION",
    severity: "high",
    message: "x402Version is a text instead of the number 2, and clients read only the number.",
  },
  schemeNone: {
    code: "UNSUPPORTED_SCHEME",
    severity: "critical",
    message: "No option uses the scheme exact, the only one with an amount that is fixed in advance.",
  },
  schemeSome: {
    code: "UNSUPPORTED_SCHEME",
    severity: "medium",
    message: "An option uses a scheme other than exact.",
  },
  /** Informs only: a client of the standard scheme passes over it. */
  gatewaySome: {
    code: "UNSUPPORTED_SCHEME",
    severity: "low",
    weight: 0,
    message: "An option is signed for Circle's Gateway, which pays from a balance there. Another one is standard.",
  },
  gatewayAll: {
    code: "UNSUPPORTED_SCHEME",
    severity: "medium",
    message: "No option is standard: one is signed for Circle's Gateway, which pays from a balance there.",
  },
  contractForeign: {
    code: "UNSUPPORTED_SCHEME",
    severity: "medium",
    message: "An option is signed for a contract, or by a name, that is neither its token's nor Circle's Gateway's.",
  },
  methodAllowance: {
    code: "UNSUPPORTED_SCHEME",
    severity: "medium",
    message: "An option moves tokens in another way than EIP-3009, such as by an allowance for Permit2.",
  },
  /** Informs only: tokens of other networks may have no EIP-3009. */
  methodElsewhere: {
    code: "UNSUPPORTED_SCHEME",
    severity: "low",
    weight: 0,
    message: "An option on a network that is not paid on moves tokens in another way than EIP-3009.",
  },
  amountInvalid: {
    code: "INVALID_AMOUNT",
    severity: "critical",
    message: "The amount is not a positive integer string in atomic units.",
  },
  amountMisnamed: {
    code: "INVALID_AMOUNT",
    severity: "high",
    message: "The amount has the name of version 1, under which clients of version 2 do not look for it.",
  },
  amountAbsurd: {
    code: "INVALID_AMOUNT",
    severity: "critical",
    message: "The amount is above any possible supply of the asset.",
  },
  amountAbove: {
    code: "AMOUNT_EXCEEDS_EXPECTED",
    severity: "critical",
    message: "The amount is above the expected maximum.",
  },
  amountsDisagree: {
    code: "CONFLICTING_AMOUNTS",
    severity: "critical",
    message: "An option names two different amounts, and clients may read either.",
  },
  amountsDiffer: {
    code: "CONFLICTING_AMOUNTS",
    severity: "medium",
    message: "Options for the same resource ask for different amounts of one asset, or of dollars.",
  },
  networkUnknown: {
    code: "NETWORK_MISMATCH",
    severity: "high",
    message: "No option is on a supported network.",
  },
  networksMixed: {
    code: "NETWORK_MISMATCH",
    severity: "medium",
    message: "Options mix networks of different value or support, such as a test network and a main network.",
  },
  networkMalformed: {
    code: "NETWORK_MISMATCH",
    severity: "medium",
    message: "The name of an option's network has no known form: clients may read it as the name of another network.",
  },
  networkUnexpected: {
    code: "NETWORK_MISMATCH",
    severity: "critical",
    message: "The network is not the expected one.",
  },
  recipientInvalid: {
    code: "INVALID_RECIPIENT",
    severity: "critical",
    message: "The recipient is not a 20-byte 0x address.",
  },
  recipientPlaceholder: {
    code: "INVALID_RECIPIENT",
    severity: "medium",
    message: "The recipient is a placeholder that was never filled in.",
  },
  recipientChecksum: {
    code: "INVALID_RECIPIENT",
    severity: "high",
    message: "The recipient's letters fail its EIP-55 checksum: at least one character is likely wrong.",
  },
  recipientLost: {
    code: "INVALID_RECIPIENT",
    severity: "critical",
    message: "The recipient is the zero address, a burn address or a precompile: the payment would be lost.",
  },
  recipientToken: {
    code: "INVALID_RECIPIENT",
    severity: "critical",
    message: "The recipient is a token contract: the payment would be lost.",
  },
  recipientUnexpected: {
    code: "RECIPIENT_MISMATCH",
    severity: "critical",
    message: "The recipient is not the expected one.",
  },
  recipientLookalike: {
    code: "RECIPIENT_MISMATCH",
    severity: "critical",
    message: "The recipient begins and ends like the expected or a well-known address, but is not the same.",
  },
  destinationsConflict: {
    code: "CONFLICTING_DESTINATIONS",
    severity: "critical",
    message: "Options on the same network and asset pay different recipients.",
  },
  destinationsVary: {
    code: "CONFLICTING_DESTINATIONS",
    severity: "medium",
    message: "Options for different networks or assets pay different recipients.",
  },
  assetUnexpected: { code: "ASSET_MISMATCH", severity: "critical", message: "The asset is not the expected one." },
  assetNonStandard: {
    code: "NON_STANDARD_ASSET",
    severity: "critical",
    message: "The asset is not the USDC contract of its network.",
  },
  assetPlaceholder: {
    code: "NON_STANDARD_ASSET",
    severity: "medium",
    weight: 15,
    message: "The asset is a symbol or a placeholder instead of a contract address.",
  },
  urlInvalid: {
    code: "INVALID_URL",
    severity: "critical",
    message: "The resource is not an absolute https URL without credentials.",
  },
  urlCredentials: {
    code: "INVALID_URL",
    severity: "critical",
    message: "The resource's URL contains credentials, which can hide its host.",
  },
  urlPlain: { code: "INVALID_URL", severity: "medium", message: "The resource does not use https." },
  urlRelative: {
    code: "INVALID_URL",
    severity: "medium",
    message: "The resource is a path without a host, so its destination is unknown.",
  },
  urlPrivate: {
    code: "INVALID_URL",
    severity: "medium",
    message: "The resource's host is an IP address or a local name.",
  },
  urlForeignLetters: {
    code: "INVALID_URL",
    severity: "high",
    message: "The resource's host is not in plain ASCII and may imitate another name.",
  },
  urlEncodedPath: {
    code: "INVALID_URL",
    severity: "high",
    message: "The resource's path hides separators or dots by encoding them.",
  },
  resourceUnexpected: {
    code: "RESOURCE_MISMATCH",
    severity: "critical",
    message: "The resource is not under the expected URL.",
  },
  resourcesVary: {
    code: "RESOURCE_MISMATCH",
    severity: "medium",
    message: "Options are for resources of different hosts.",
  },
  /** Informs only: a network is not chosen by mistake. */
  otherOffer: {
    code: "NETWORK_MISMATCH",
    severity: "low",
    weight: 0,
    message: "One option matches the expectations, and another, on a network that is not paid on, does not.",
  },
  otherAmount: {
    code: "AMOUNT_EXCEEDS_EXPECTED",
    severity: "medium",
    message: "One option matches the expectations, and another asks for more.",
  },
  otherNetwork: {
    code: "NETWORK_MISMATCH",
    severity: "medium",
    message: "One option matches the expectations, and another is on a different network.",
  },
  otherRecipient: {
    code: "RECIPIENT_MISMATCH",
    severity: "medium",
    message: "One option matches the expectations, and another pays a different recipient.",
  },
  otherAsset: {
    code: "ASSET_MISMATCH",
    severity: "medium",
    weight: 15,
    message: "One option matches the expectations, and another requires a different asset.",
  },
  otherResource: {
    code: "RESOURCE_MISMATCH",
    severity: "medium",
    message: "One option matches the expectations, and another is for a different resource.",
  },
  timeoutInvalid: {
    code: "INVALID_TIMEOUT",
    severity: "medium",
    message: "maxTimeoutSeconds is not a positive integer.",
  },
  timeoutLong: {
    code: "LONG_TIMEOUT",
    severity: "medium",
    message: "A signed payment would stay valid for more than an hour.",
  },
  tokenIncluded: {
    code: "PAYMENT_TOKEN_INCLUDED",
    severity: "critical",
    message: "The body contains a signed payment or a wallet credential. Treat it as disclosed.",
  },
  authorizationIncluded: {
    code: "SIGNED_AUTHORIZATION_INCLUDED",
    severity: "critical",
    message: "The body contains a signed permit or transaction, with which any reader may move or spend tokens.",
  },
  approvalUnlimited: {
    code: "UNLIMITED_APPROVAL",
    severity: "critical",
    message: "The body asks for, or contains, an allowance that is unlimited.",
  },
  /** Informs only: many honest sellers describe nothing. */
  purposeUnstated: {
    code: "UNSTATED_PURPOSE",
    severity: "low",
    weight: 0,
    message: "The description is missing or only repeats the resource's host or path: what is paid for is not known.",
  },
  injection: {
    code: "PROMPT_INJECTION_TEXT",
    severity: "high",
    message: "A text tries to instruct its reader.",
  },
  hiddenText: {
    code: "PROMPT_INJECTION_TEXT",
    severity: "medium",
    message: "A text contains characters that are not displayed.",
  },
} as const satisfies Record<string, Rule>;

export type X402Rule = keyof typeof x402Rules;

/** Circle's Gateway Wallet has one address on all main networks, and one on all test networks. */
export const gateway = {
  /** `name` of its EIP-712 domain. */
  name: "GatewayWalletBatched",
  contract: "0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE",
  testContract: "0x0077777d7EBA4688BDeF3E311b846F25870A19B9",
} as const;

/** Names of members by meaning. All but `shown` are in lower case and without punctuation. */
export const x402Names = {
  /** With a signature, they make an object a signed payment. */
  paying: ["authorization", "mandate", "intent", "usermandate"],
  /** With a signature, they make an object an allowance. */
  permitting: ["permit2authorization", "permit", "permitted", "permitsingle", "permitbatch", "permitdata"],
  /** With a spender beside them, they are the amount of an allowance. */
  allowance: new Set("amount value allowance allowed rawamount".split(" ")),
  /** They hold the amounts of an allowance whose spender is beside them. */
  allowanceParts: new Set("details permitted".split(" ")),
  /** Signed and ready to be sent. */
  transaction: new Set(
    "signedtransaction signedtx signedrawtransaction rawtransaction rawtx serializedtransaction".split(" "),
  ),
  payment: new Set(
    (
      "xpayment xpaymentb64 xpaymentheader paymentheader paymentsignature paymentb64 paymenttoken paymentproof " +
      "signedmandate mandatejwt mandatesignature mandatetoken"
    ).split(" "),
  ),
  walletKey: new Set("privatekey secretkey walletkey walletsecret signingkey".split(" ")),
  credential: new Set(
    "accesstoken refreshtoken authtoken bearertoken agentjwt agenttoken jwt apikey clientsecret password passphrase".split(
      " ",
    ),
  ),
  phrase: new Set("mnemonic seed seedphrase seedwords recoveryphrase secretphrase walletphrase".split(" ")),
  /** Below these, a body describes its input and output and gives examples. */
  schema: new Set("outputschema inputschema schema jsonschema".split(" ")),
  /** The same, when members of a schema surround them. */
  example: new Set("example examples default".split(" ")),
  schemaMembers: ["type", "properties", "$ref", "$schema"],
  /** May appear in the path of a finding. */
  shown: new Set(
    (
      "paymentRequired expected x402Version accepts error resource url description mimeType scheme network amount " +
      "maxAmountRequired maxAmountAtomic payTo asset extra name version maxTimeoutSeconds outputSchema extensions headers " +
      "payload payment signature authorization permit2Authorization mandate x-payment X-PAYMENT X-Payment xPaymentB64 info " +
      "eip2612GasSponsoring erc20ApprovalGasSponsoring permit signedTransaction"
    ).split(" "),
  ),
} as const;
