import { rulesOf } from "../graded.ts";

/** The rules of the x402 scanner. Signals of an unfilled template weigh less than signals of an attack. */
export const x402Rules = rulesOf({
  notObject: "critical INVALID_BODY: paymentRequired is not a JSON object.",
  noOptions: "critical INVALID_BODY: accepts is not an array with at least one option.",
  notOption: "critical INVALID_BODY: An option is not a JSON object.",
  manyOptions: "medium INVALID_BODY: There are more payment options than a client should have to choose from.",
  tooManyOptions: "critical INVALID_BODY: There are more payment options than are inspected.",
  badExpected: "high INVALID_BODY: A member of expected is malformed, so that nothing can be compared with it.",
  unknownExpected:
    "high INVALID_BODY: expected has an unknown member, perhaps a misspelt one: nothing was compared with it.",
  versionUnknown: "critical UNSUPPORTED_VERSION: x402Version is not a known version.",
  versionText:
    "high UNSUPPORTED_VERSION: x402Version is a text instead of the number 2, and clients read only the number.",
  schemeNone:
    "critical UNSUPPORTED_SCHEME: No option uses the scheme exact, the only one with an amount that is fixed in advance.",
  schemeSome: "medium UNSUPPORTED_SCHEME: An option uses a scheme other than exact.",
  /** Informs only: a client of the standard scheme passes over it. */
  gatewaySome:
    "low 0 UNSUPPORTED_SCHEME: An option is signed for Circle's Gateway, which pays from a balance there. Another one is standard.",
  gatewayAll:
    "medium UNSUPPORTED_SCHEME: No option is standard: one is signed for Circle's Gateway, which pays from a balance there.",
  contractForeign:
    "medium UNSUPPORTED_SCHEME: An option is signed for a contract, or by a name, that is neither its token's nor Circle's Gateway's.",
  methodAllowance:
    "medium UNSUPPORTED_SCHEME: An option moves tokens in another way than EIP-3009, such as by an allowance for Permit2.",
  /** Informs only: tokens of other networks may have no EIP-3009. */
  methodElsewhere:
    "low 0 UNSUPPORTED_SCHEME: An option on a network that is not paid on moves tokens in another way than EIP-3009.",
  amountInvalid: "critical INVALID_AMOUNT: The amount is not a positive integer string in atomic units.",
  amountMisnamed:
    "high INVALID_AMOUNT: The amount has the name of version 1, under which clients of version 2 do not look for it.",
  amountAbsurd: "critical INVALID_AMOUNT: The amount is above any possible supply of the asset.",
  amountAbove: "critical AMOUNT_EXCEEDS_EXPECTED: The amount is above the expected maximum.",
  amountsDisagree: "critical CONFLICTING_AMOUNTS: An option names two different amounts, and clients may read either.",
  amountsDiffer:
    "medium CONFLICTING_AMOUNTS: Options for the same resource ask for different amounts of one asset, or of dollars.",
  networkUnknown: "high NETWORK_MISMATCH: No option is on a supported network.",
  networksMixed:
    "medium NETWORK_MISMATCH: Options mix networks of different value or support, such as a test network and a main network.",
  networkMalformed:
    "medium NETWORK_MISMATCH: The name of an option's network has no known form: clients may read it as the name of another network.",
  networkUnexpected: "critical NETWORK_MISMATCH: The network is not the expected one.",
  recipientInvalid: "critical INVALID_RECIPIENT: The recipient is not a 20-byte 0x address.",
  recipientPlaceholder: "medium INVALID_RECIPIENT: The recipient is a placeholder that was never filled in.",
  recipientChecksum:
    "high INVALID_RECIPIENT: The recipient's letters fail its EIP-55 checksum: at least one character is likely wrong.",
  recipientLost:
    "critical INVALID_RECIPIENT: The recipient is the zero address, a burn address or a precompile: the payment would be lost.",
  recipientToken: "critical INVALID_RECIPIENT: The recipient is a token contract: the payment would be lost.",
  recipientUnexpected: "critical RECIPIENT_MISMATCH: The recipient is not the expected one.",
  recipientLookalike:
    "critical RECIPIENT_MISMATCH: The recipient begins and ends like the expected or a well-known address, but is not the same.",
  destinationsConflict:
    "critical CONFLICTING_DESTINATIONS: Options on the same network and asset pay different recipients.",
  destinationsVary:
    "medium CONFLICTING_DESTINATIONS: Options for different networks or assets pay different recipients.",
  assetUnexpected: "critical ASSET_MISMATCH: The asset is not the expected one.",
  assetNonStandard: "critical NON_STANDARD_ASSET: The asset is not the USDC contract of its network.",
  assetPlaceholder:
    "medium 15 NON_STANDARD_ASSET: The asset is a symbol or a placeholder instead of a contract address.",
  urlInvalid: "critical INVALID_URL: The resource is not an absolute https URL without credentials.",
  urlCredentials: "critical INVALID_URL: The resource's URL contains credentials, which can hide its host.",
  urlPlain: "medium INVALID_URL: The resource does not use https.",
  urlRelative: "medium INVALID_URL: The resource is a path without a host, so its destination is unknown.",
  urlPrivate: "medium INVALID_URL: The resource's host is an IP address or a local name.",
  urlForeignLetters: "high INVALID_URL: The resource's host is not in plain ASCII and may imitate another name.",
  urlEncodedPath: "high INVALID_URL: The resource's path hides separators or dots by encoding them.",
  resourceUnexpected: "critical RESOURCE_MISMATCH: The resource is not under the expected URL.",
  resourcesVary: "medium RESOURCE_MISMATCH: Options are for resources of different hosts.",
  /** Informs only: a network is not chosen by mistake. */
  otherOffer:
    "low 0 NETWORK_MISMATCH: One option matches the expectations, and another, on a network that is not paid on, does not.",
  otherAmount: "medium AMOUNT_EXCEEDS_EXPECTED: One option matches the expectations, and another asks for more.",
  otherNetwork: "medium NETWORK_MISMATCH: One option matches the expectations, and another is on a different network.",
  otherRecipient:
    "medium RECIPIENT_MISMATCH: One option matches the expectations, and another pays a different recipient.",
  otherAsset: "medium 15 ASSET_MISMATCH: One option matches the expectations, and another requires a different asset.",
  otherResource:
    "medium RESOURCE_MISMATCH: One option matches the expectations, and another is for a different resource.",
  timeoutInvalid: "medium INVALID_TIMEOUT: maxTimeoutSeconds is not a positive integer.",
  timeoutLong: "medium LONG_TIMEOUT: A signed payment would stay valid for more than an hour.",
  tokenIncluded:
    "critical PAYMENT_TOKEN_INCLUDED: The body contains a signed payment or a wallet credential. Treat it as disclosed.",
  authorizationIncluded:
    "critical SIGNED_AUTHORIZATION_INCLUDED: The body contains a signed permit or transaction, with which any reader may move or spend tokens.",
  approvalUnlimited: "critical UNLIMITED_APPROVAL: The body asks for, or contains, an allowance that is unlimited.",
  /** Informs only: many honest sellers describe nothing. */
  purposeUnstated:
    "low 0 UNSTATED_PURPOSE: The description is missing or only repeats the resource's host or path: what is paid for is not known.",
  injection: "high PROMPT_INJECTION_TEXT: A text tries to instruct its reader.",
  hiddenText: "medium PROMPT_INJECTION_TEXT: A text contains characters that are not displayed.",
});

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
