export { type CreateResult, create, createOwned, previewOwned } from "./create";
export { approve, cancel, cancelForAgent, claim, deny } from "./decide";
export { finishEnded, recordExcess, subscriber } from "./legs/jobs";
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
