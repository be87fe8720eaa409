import type { Rule } from "../verdict.ts";

/** The rules of the transaction scanner. A rule has a weight of its own where it usually comes with another finding. */
export const transactionRules = {
  malformed: {
    code: "MALFORMED_CALLDATA",
    severity: "critical",
    message: "The calldata is not even-length hex with a lower-case 0x prefix.",
  },
  shortSelector: {
    code: "MALFORMED_CALLDATA",
    severity: "critical",
    message: "The calldata is shorter than the four bytes that name a function.",
  },
  shortArguments: {
    code: "MALFORMED_CALLDATA",
    severity: "critical",
    message: "The arguments end early or point outside the calldata.",
  },
  dirtyArguments: {
    code: "MALFORMED_CALLDATA",
    severity: "critical",
    message: "An argument has bits set outside its type, so two decoders may read different values.",
  },
  calldataConflict: {
    code: "MALFORMED_CALLDATA",
    severity: "critical",
    message: "data and its alias input or calldata disagree.",
  },
  unreadMember: {
    code: "MALFORMED_CALLDATA",
    severity: "medium",
    message:
      "The request has unknown members that look like calldata, an address or an amount. This scan does not read them.",
  },
  tooMuch: {
    code: "MALFORMED_CALLDATA",
    severity: "critical",
    message: "The calldata contains more calls or overlapping parts than can be inspected.",
  },
  invalidValue: {
    code: "INVALID_VALUE",
    severity: "critical",
    message: "The native value is not an integer string in wei between 0 and 2^256 - 1.",
  },
  valueConflict: {
    code: "INVALID_VALUE",
    severity: "critical",
    message: "valueWei and its alias value disagree.",
  },
  zeroDestination: {
    code: "ZERO_DESTINATION",
    severity: "critical",
    message: "The destination is the zero address: anything sent there is lost.",
  },
  invalidDestination: {
    code: "INVALID_DESTINATION",
    severity: "critical",
    message: "The destination is not a 20-byte 0x address.",
  },
  badChecksum: {
    code: "INVALID_DESTINATION",
    severity: "critical",
    message: "The destination's letters fail its EIP-55 checksum: at least one character is likely wrong.",
  },
  contractCreation: {
    code: "INVALID_DESTINATION",
    severity: "critical",
    message: "Without a destination the transaction creates a contract, whose code is not inspected.",
  },
  reservedDestination: {
    code: "INVALID_DESTINATION",
    severity: "high",
    weight: 40,
    message: "The destination is a precompile or a reserved address, not an account.",
  },
  zeroRecipient: {
    code: "ZERO_RECIPIENT",
    severity: "critical",
    message: "Tokens would go to the zero address and be lost.",
  },
  burnRecipient: {
    code: "BURN_RECIPIENT",
    severity: "high",
    message: "Tokens would go to a burn address, from which nobody can move them.",
  },
  reservedRecipient: {
    code: "BURN_RECIPIENT",
    severity: "high",
    message: "Tokens would go to a precompile or a reserved address, for which nobody has a key.",
  },
  burnDestination: {
    code: "BURN_RECIPIENT",
    severity: "high",
    message: "The destination is a burn address.",
  },
  nativeToBurn: {
    code: "BURN_RECIPIENT",
    severity: "critical",
    message: "Native value would go to a burn address, from which nobody can move it.",
  },
  transferToToken: {
    code: "TRANSFER_TO_TOKEN_CONTRACT",
    severity: "critical",
    message: "The recipient is a token contract: what it receives is usually lost.",
  },
  lookalike: {
    code: "ADDRESS_LOOKALIKE",
    severity: "critical",
    message: "An address begins and ends like a declared or well-known one, but differs from it.",
  },
  approval: {
    code: "TOKEN_APPROVAL",
    severity: "medium",
    message: "Gives another account an allowance over tokens.",
  },
  oneOrAll: {
    code: "TOKEN_APPROVAL",
    severity: "high",
    message:
      "The approved number is that of a single token of a collection, or an allowance without a limit if the contract is no collection.",
  },
  unlimitedApproval: {
    code: "UNLIMITED_APPROVAL",
    severity: "critical",
    message: "The allowance is unlimited, or far above any possible supply of the token.",
  },
  operatorApproval: {
    code: "OPERATOR_APPROVAL",
    severity: "high",
    message: "Makes another account an operator of everything that the called contract holds for this account.",
  },
  operatorUnlimited: {
    code: "UNLIMITED_APPROVAL",
    severity: "critical",
    message: "The operator may move all of these assets, now and later.",
  },
  privileged: {
    code: "PRIVILEGED_FUNCTION",
    severity: "medium",
    message: "Calls a function reserved for owners, administrators or account modules.",
  },
  destroys: {
    code: "PRIVILEGED_FUNCTION",
    severity: "critical",
    message: "Destroys the called contract permanently.",
  },
  grantsMinting: {
    code: "PRIVILEGED_FUNCTION",
    severity: "high",
    message: "Changes who may create or manage a token.",
  },
  ownershipChange: {
    code: "OWNERSHIP_CHANGE",
    severity: "critical",
    message: "Changes who owns or controls a contract or account.",
  },
  roleRemoval: {
    code: "OWNERSHIP_CHANGE",
    severity: "high",
    weight: 40,
    message: "Removes a role or a module.",
  },
  fallbackHandler: {
    code: "OWNERSHIP_CHANGE",
    severity: "high",
    message: "Sets an unknown contract as the handler of calls that the account itself does not support.",
  },
  setupControl: {
    code: "PRIVILEGED_FUNCTION",
    severity: "high",
    message: "Gives the new account a module, guard or handler from the start. What controls it controls the account.",
  },
  proxyUpgrade: {
    code: "PROXY_UPGRADE",
    severity: "critical",
    message: "Replaces the code behind a contract, or who may replace it.",
  },
  delegatecall: {
    code: "DELEGATECALL",
    severity: "critical",
    message: "Runs foreign code with the account's own storage and balance.",
  },
  batchDelegatecall: {
    code: "DELEGATECALL",
    severity: "medium",
    message: "Runs a well-known batching or set-up contract by delegatecall; its calls are decoded below.",
  },
  delegation: {
    code: "EIP7702_DELEGATION",
    severity: "critical",
    message: "Carries an EIP-7702 designator: the account would run another contract's code.",
  },
  marketplaceOrder: {
    code: "MARKETPLACE_ORDER",
    severity: "high",
    message: "Fulfils or registers a marketplace order, which may exchange valuable tokens for nothing.",
  },
  /** It comes with the value and the allowance that pay for it. */
  routedOrder: {
    code: "MARKETPLACE_ORDER",
    severity: "medium",
    weight: 10,
    message: "A router buys by a marketplace order, with what this transaction gives it.",
  },
  nestedCall: {
    code: "NESTED_CALL",
    severity: "low",
    message: "Carries calls inside its arguments; each was decoded.",
  },
  opaqueNestedCall: {
    code: "NESTED_CALL",
    severity: "medium",
    message: "Carries commands or calls inside its arguments that cannot be decoded.",
  },
  nativeTransfer: {
    code: "NATIVE_VALUE_TRANSFER",
    severity: "medium",
    message: "Sends native value.",
  },
  valueToNonPayable: {
    code: "NATIVE_VALUE_TRANSFER",
    severity: "high",
    weight: 40,
    message: "Sends native value to a function that takes none: the value is lost or the call fails.",
  },
  foreignTransfer: {
    code: "SUSPICIOUS_FUNCTION",
    severity: "medium",
    message: "Moves tokens out of an account that the calldata names.",
  },
  refund: {
    code: "SUSPICIOUS_FUNCTION",
    severity: "medium",
    message: "Also pays a refund. The arguments set its price, token and recipient.",
  },
  drainerName: {
    code: "SUSPICIOUS_FUNCTION",
    severity: "high",
    weight: 50,
    message: "The function has a name that wallet drainers use.",
  },
  paidClaim: {
    code: "SUSPICIOUS_FUNCTION",
    severity: "medium",
    message: "A claim that requires native value.",
  },
  unknownSelector: {
    code: "UNKNOWN_SELECTOR",
    severity: "medium",
    message: "The function is unknown, and so is its effect.",
  },
  functionMismatch: {
    code: "FUNCTION_MISMATCH",
    severity: "critical",
    message: "The declared function differs from the one that the calldata calls.",
  },
  functionUnclear: {
    code: "FUNCTION_MISMATCH",
    severity: "medium",
    message: "The declared function does not name the one that the calldata calls.",
  },
  amountAbove: {
    code: "AMOUNT_MISMATCH",
    severity: "critical",
    message: "The calldata's amount is above the declared one.",
  },
  amountBelow: {
    code: "AMOUNT_MISMATCH",
    severity: "medium",
    message: "The calldata's amount is below the declared one.",
  },
  amountUnreadable: {
    code: "AMOUNT_MISMATCH",
    severity: "medium",
    message: "The declared amount is not an integer string in atomic units.",
  },
  unsupportedChain: {
    code: "UNSUPPORTED_CHAIN",
    severity: "medium",
    message: "The chain id is unknown.",
  },
  chainConflict: {
    code: "UNSUPPORTED_CHAIN",
    severity: "medium",
    message: "chainId and one of its aliases disagree.",
  },
  injection: {
    code: "PROMPT_INJECTION_TEXT",
    severity: "high",
    message: "The text tries to instruct its reader.",
  },
  hiddenText: {
    code: "PROMPT_INJECTION_TEXT",
    severity: "medium",
    message: "The text contains characters that are not displayed.",
  },
  secret: {
    code: "SECRET_PATTERN",
    severity: "critical",
    message: "The text appears to contain a secret. Treat it as disclosed.",
  },
} as const satisfies Record<string, Rule>;

export type TransactionRule = keyof typeof transactionRules;

/** Adds a finding by `rule` at `field` of the input. */
export type Find = (rule: TransactionRule, field: string) => void;
