/** The magic suffix of a signature by an account that is not deployed yet (ERC-6492). */
const SUFFIX = "6492".repeat(16);

/**
 * True for an ERC-6492 signature, which contains the account's deployment. Cannot be used here: the token verifies signatures by calling
 * the account.
 */
export const isOfUndeployed = (signature: unknown): boolean =>
  typeof signature === "string" && signature.toLowerCase().endsWith(SUFFIX);
