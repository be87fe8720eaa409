export { type CreateResult as Made, create, createOwned, previewOwned } from "./create";
export { approve, cancel, cancelForAgent, claim, deny } from "./decide";
export { finishEnded, recordExcess, subscriber } from "./legs/jobs";
export type { FullLeg, PayoutWithParties as MadePayout } from "./store";
export {
  findEntitled,
  findOwn,
  getForAgent,
  getOnly,
  listForAgent,
  type PayoutPage,
  type PayoutView,
  pageOf,
  tokens,
  viewOf,
} from "./views";
