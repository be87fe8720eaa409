export { tokens } from "./access";
export { claim, narrow, reject, setEnabled, sign, typedData } from "./decide";
export type { OwnedMandate } from "./lists";
export { type AgentStatus, agentStatus, createIntent, type Proposed, prepare } from "./propose";
export { openLedger } from "./reservations/ledger";
export { chargeable, charging, isRefusal, reserve, reserveApproved, untilWritten } from "./reservations/service";
export type { Charge } from "./rules";
export { hasSpent, listSignedFor, type Mandate } from "./store";
export {
  moveToVault,
  offersVaults,
  revocation,
  revokeMandate,
  signedVaultData,
  vaultOffer,
  vaultTotals,
} from "./vaults/owner";
export { forgetSeller, isRefusalOfContract, refusingSellers } from "./vaults/pocket";
export { signWithVault, vaultTypedData } from "./vaults/sign";
export {
  eventsOf,
  explainUncovered,
  forSigning,
  getForAgent,
  getForOwner,
  isWaiting,
  leftOf,
  listEligible,
  type SigningView,
  viewOf,
  viewsOf,
  withVaults,
} from "./views";
