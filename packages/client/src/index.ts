export type { CallOptions } from "./call.ts";
export {
  type List,
  type Page,
  type ScanOptions,
  Tessera,
  type TesseraOptions,
} from "./client.ts";
export { type Outcome, PaymentError, TesseraError } from "./errors.ts";
export { formatUsdc, parseUsdc } from "./money.ts";
export type { Offer } from "./offers.ts";
export type { PayOptions, PayResult } from "./pay.ts";
export type { NetworkName, Proof, Receipt } from "./proof.ts";
export type { Approval, SignOptions } from "./sign.ts";
export type { Fetch } from "./transport.ts";
export type * from "./types.ts";
