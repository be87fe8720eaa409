export type { Hex } from "./vault/bytes.ts";
export { IMPLEMENTATION_HASH, VAULT_FACTORY, VAULT_IMPLEMENTATION } from "./vault/deployment.ts";
export { type Action, isOver, ownerActions, type Rpc, readVault, returnedIn, type VaultState } from "./vault/state.ts";
export { type Vault, type VaultTerms, vaultOf } from "./vault/terms.ts";
