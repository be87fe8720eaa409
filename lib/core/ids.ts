export const PREFIX = {
  mandate: "mand_",
  payment: "pay_",
  settlement: "stl_",
  event: "evt_",
  wallet: "wal_",
  owner: "own_",
  token: "tok_",
  credential: "vc_",
  link: "lnk_",
  passCall: "pcl_",
  refund: "rfd_",
  approval: "apr_",
  attempt: "att_",
  mail: "mail_",
  browser: "brw_",
  push: "psh_",
  payee: "pye_",
  payout: "po_",
  scan: "scn_",
  creditTransaction: "crd_",
  webhook: "whk_",
  webhookSecret: "whs_",
  delivery: "dlv_",
  confirmation: "cnf_",
  session: "ses_",
  purchase: "pur_",
  facilitatorKey: "fky_",
  facilitatorSecret: "tsk_",
  domain: "dom_",
  invoice: "inv_",
  file: "fil_",
  image: "img_",
  app: "app_",
  connection: "con_",
  recovery: "rcv_",
  authorizationCode: "oac_",
  accessToken: "oat_",
  refreshToken: "ort_",
} as const;

export type IdKind = keyof typeof PREFIX;
export type Id<K extends IdKind> = `${(typeof PREFIX)[K]}${string}`;

export type MandateId = Id<"mandate">;
export type PaymentId = Id<"payment">;
export type SettlementId = Id<"settlement">;
export type EventId = Id<"event">;
export type WalletId = Id<"wallet">;
export type OwnerId = Id<"owner">;
export type LinkId = Id<"link">;
export type PassCallId = Id<"passCall">;
export type RefundId = Id<"refund">;
export type MailId = Id<"mail">;
export type BrowserId = Id<"browser">;
export type PushId = Id<"push">;
export type AttemptId = Id<"attempt">;
export type ApprovalId = Id<"approval">;
export type PayeeId = Id<"payee">;
/** The service's id of a payout. `payoutId` is the id that its creator chose. */
export type PayoutId = Id<"payout">;
export type RecoveryId = Id<"recovery">;
export type ScanId = Id<"scan">;
export type CreditTransactionId = Id<"creditTransaction">;
export type WebhookId = Id<"webhook">;
export type WebhookSecretId = Id<"webhookSecret">;
export type DeliveryId = Id<"delivery">;
export type ConfirmationId = Id<"confirmation">;
export type SessionId = Id<"session">;
export type PurchaseId = Id<"purchase">;
export type FacilitatorKeyId = Id<"facilitatorKey">;
export type DomainId = Id<"domain">;
export type InvoiceId = Id<"invoice">;
export type FileId = Id<"file">;
export type ImageId = Id<"image">;
export type AppId = Id<"app">;
export type ConnectionId = Id<"connection">;

declare const agent: unique symbol;
/** A UUID: the agent's public id in URLs. */
export type AgentId = string & { readonly [agent]: true };

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 24;

/** 24 characters of base62: 142 random bits. */
export function randomText(): string {
  let text = "";
  while (text.length < LENGTH) {
    const byte = randomByte();
    // 248 = 4 × 62. Larger bytes would make the first letters more likely.
    if (byte < 248) text += ALPHABET[byte % 62];
  }
  return text;
}

/** Random bytes are fetched in bulk: one system call per id would cost more than the id. */
const pool = new Uint8Array(4096);
let used = pool.length;

function randomByte(): number {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  // Used bytes do not stay in memory.
  pool[used++] = 0;
  return byte;
}

export const newId = <K extends IdKind>(kind: K): Id<K> => `${PREFIX[kind]}${randomText()}`;

export const newAgentId = (): AgentId => crypto.randomUUID() as AgentId;
