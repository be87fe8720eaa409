/** The longest reason that is kept, in characters. */
export const REASON_MAX = 300;

/**
 * Whether a seller's reason can mean that its facilitator rejects contracts as payers. Known reasons: the reference facilitators'
 * `invalid_exact_evm_payload_signature` and `…_undeployed_smart_wallet`, and `invalid_payload` of hosted ones. The chain then
 * confirms it or rules it out.
 */
export const mayMeanContract = (reason: string): boolean =>
  /signature|invalid[ _]payload|undeployed|smart[ _-]?(?:wallet|account|contract)|contract[ _](?:wallet|account|payer)|(?:eip|erc)-?(?:1271|6492)/i.test(
    reason,
  );
