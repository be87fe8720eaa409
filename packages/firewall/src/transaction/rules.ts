import { rulesOf } from "../graded.ts";

/** The rules of the transaction scanner. A rule has a weight of its own where it usually comes with another finding. */
export const transactionRules = rulesOf({
  malformed: "critical MALFORMED_CALLDATA: The calldata is not even-length hex with a lower-case 0x prefix.",
  shortSelector: "critical MALFORMED_CALLDATA: The calldata is shorter than the four bytes that name a function.",
  shortArguments: "critical MALFORMED_CALLDATA: The arguments end early or point outside the calldata.",
  dirtyArguments:
    "critical MALFORMED_CALLDATA: An argument has bits set outside its type, so two decoders may read different values.",
  calldataConflict: "critical MALFORMED_CALLDATA: data and its alias input or calldata disagree.",
  unreadMember:
    "medium MALFORMED_CALLDATA: The request has unknown members that look like calldata, an address or an amount. This scan does not read them.",
  tooMuch: "critical MALFORMED_CALLDATA: The calldata contains more calls or overlapping parts than can be inspected.",
  invalidValue: "critical INVALID_VALUE: The native value is not an integer string in wei between 0 and 2^256 - 1.",
  valueConflict: "critical INVALID_VALUE: valueWei and its alias value disagree.",
  zeroDestination: "critical ZERO_DESTINATION: The destination is the zero address: anything sent there is lost.",
  invalidDestination: "critical INVALID_DESTINATION: The destination is not a 20-byte 0x address.",
  badChecksum:
    "critical INVALID_DESTINATION: The destination's letters fail its EIP-55 checksum: at least one character is likely wrong.",
  contractCreation:
    "critical INVALID_DESTINATION: Without a destination the transaction creates a contract, whose code is not inspected.",
  reservedDestination:
    "high 40 INVALID_DESTINATION: The destination is a precompile or a reserved address, not an account.",
  zeroRecipient: "critical ZERO_RECIPIENT: Tokens would go to the zero address and be lost.",
  burnRecipient: "high BURN_RECIPIENT: Tokens would go to a burn address, from which nobody can move them.",
  reservedRecipient:
    "high BURN_RECIPIENT: Tokens would go to a precompile or a reserved address, for which nobody has a key.",
  burnDestination: "high BURN_RECIPIENT: The destination is a burn address.",
  nativeToBurn: "critical BURN_RECIPIENT: Native value would go to a burn address, from which nobody can move it.",
  transferToToken:
    "critical TRANSFER_TO_TOKEN_CONTRACT: The recipient is a token contract: what it receives is usually lost.",
  lookalike:
    "critical ADDRESS_LOOKALIKE: An address begins and ends like a declared or well-known one, but differs from it.",
  approval: "medium TOKEN_APPROVAL: Gives another account an allowance over tokens.",
  oneOrAll:
    "high TOKEN_APPROVAL: The approved number is that of a single token of a collection, or an allowance without a limit if the contract is no collection.",
  unlimitedApproval:
    "critical UNLIMITED_APPROVAL: The allowance is unlimited, or far above any possible supply of the token.",
  operatorApproval:
    "high OPERATOR_APPROVAL: Makes another account an operator of everything that the called contract holds for this account.",
  operatorUnlimited: "critical UNLIMITED_APPROVAL: The operator may move all of these assets, now and later.",
  privileged: "medium PRIVILEGED_FUNCTION: Calls a function reserved for owners, administrators or account modules.",
  destroys: "critical PRIVILEGED_FUNCTION: Destroys the called contract permanently.",
  grantsMinting: "high PRIVILEGED_FUNCTION: Changes who may create or manage a token.",
  ownershipChange: "critical OWNERSHIP_CHANGE: Changes who owns or controls a contract or account.",
  roleRemoval: "high 40 OWNERSHIP_CHANGE: Removes a role or a module.",
  fallbackHandler:
    "high OWNERSHIP_CHANGE: Sets an unknown contract as the handler of calls that the account itself does not support.",
  setupControl:
    "high PRIVILEGED_FUNCTION: Gives the new account a module, guard or handler from the start. What controls it controls the account.",
  proxyUpgrade: "critical PROXY_UPGRADE: Replaces the code behind a contract, or who may replace it.",
  delegatecall: "critical DELEGATECALL: Runs foreign code with the account's own storage and balance.",
  batchDelegatecall:
    "medium DELEGATECALL: Runs a well-known batching or set-up contract by delegatecall; its calls are decoded below.",
  delegation:
    "critical EIP7702_DELEGATION: Carries an EIP-7702 designator: the account would run another contract's code.",
  marketplaceOrder:
    "high MARKETPLACE_ORDER: Fulfils or registers a marketplace order, which may exchange valuable tokens for nothing.",
  /** It comes with the value and the allowance that pay for it. */
  routedOrder:
    "medium 10 MARKETPLACE_ORDER: A router buys by a marketplace order, with what this transaction gives it.",
  nestedCall: "low NESTED_CALL: Carries calls inside its arguments; each was decoded.",
  opaqueNestedCall: "medium NESTED_CALL: Carries commands or calls inside its arguments that cannot be decoded.",
  nativeTransfer: "medium NATIVE_VALUE_TRANSFER: Sends native value.",
  valueToNonPayable:
    "high 40 NATIVE_VALUE_TRANSFER: Sends native value to a function that takes none: the value is lost or the call fails.",
  foreignTransfer: "medium SUSPICIOUS_FUNCTION: Moves tokens out of an account that the calldata names.",
  refund: "medium SUSPICIOUS_FUNCTION: Also pays a refund. The arguments set its price, token and recipient.",
  drainerName: "high 50 SUSPICIOUS_FUNCTION: The function has a name that wallet drainers use.",
  paidClaim: "medium SUSPICIOUS_FUNCTION: A claim that requires native value.",
  unknownSelector: "medium UNKNOWN_SELECTOR: The function is unknown, and so is its effect.",
  functionMismatch: "critical FUNCTION_MISMATCH: The declared function differs from the one that the calldata calls.",
  functionUnclear: "medium FUNCTION_MISMATCH: The declared function does not name the one that the calldata calls.",
  amountAbove: "critical AMOUNT_MISMATCH: The calldata's amount is above the declared one.",
  amountBelow: "medium AMOUNT_MISMATCH: The calldata's amount is below the declared one.",
  amountUnreadable: "medium AMOUNT_MISMATCH: The declared amount is not an integer string in atomic units.",
  unsupportedChain: "medium UNSUPPORTED_CHAIN: The chain id is unknown.",
  chainConflict: "medium UNSUPPORTED_CHAIN: chainId and one of its aliases disagree.",
  injection: "high PROMPT_INJECTION_TEXT: The text tries to instruct its reader.",
  hiddenText: "medium PROMPT_INJECTION_TEXT: The text contains characters that are not displayed.",
  secret: "critical SECRET_PATTERN: The text appears to contain a secret. Treat it as disclosed.",
});

export type TransactionRule = keyof typeof transactionRules;

/** Adds a finding by `rule` at `field` of the input. */
export type Find = (rule: TransactionRule, field: string) => void;
