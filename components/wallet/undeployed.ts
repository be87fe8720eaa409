/** The end of a signature of an account that is not on the chain yet (ERC-6492). */
const SUFFIX = "6492".repeat(16);

/** Such a signature says how to make the account. Nothing here can use it: the token asks the account itself. */
export const isOfUndeployed = (signature: unknown): boolean =>
  typeof signature === "string" && signature.toLowerCase().endsWith(SUFFIX);
