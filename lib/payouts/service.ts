export { create, createOwned, previewOwned } from "./create";
export { approve, cancel, cancelForAgent, claim, deny } from "./decide";
export { finishEnded, recordExcess, subscriber } from "./legs/jobs";
export { paidBeforeJob } from "./paid-before";
export {
  type CreateResult,
  findEntitled,
  findOwn,
  getForAgent,
  getOnly,
  listForAgent,
  type PayoutPage,
  type PayoutView,
  pageOf,
  summaryOf,
  tokens,
  viewOf,
} from "./views";
