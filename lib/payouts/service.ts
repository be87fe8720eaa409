export { create, createOwned, type Made, previewOwned } from "./create";
export { approve, cancel, cancelForAgent, claim, deny } from "./decide";
export { finishEnded, recordExcess, subscriber } from "./legs/jobs";
export type { FullLeg, MadePayout } from "./store";
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
