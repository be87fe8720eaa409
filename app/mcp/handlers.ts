/** The API handlers that the MCP tools call. */
export { POST as registerAgent } from "@/app/(identity)/register/route";
export { GET as getUpl } from "@/app/(upl)/unifypaymentlink/agentid/[agentId]/route";
export { GET as selfStatus } from "@/app/api/agent/self/status/route";
export { POST as topUp } from "@/app/api/credits/top-up/route";
export { POST as cancelInvoice } from "@/app/api/invoices/[invoiceId]/cancel/route";
export { GET as getInvoice } from "@/app/api/invoices/[invoiceId]/route";
export { GET as listInvoices, POST as createInvoice } from "@/app/api/invoices/route";
export { GET as getMandate } from "@/app/api/mandates/agent/[mandateId]/route";
export { POST as createIntent } from "@/app/api/mandates/create-intent/route";
export { GET as listMandates } from "@/app/api/mandates/route";
export { POST as signV1 } from "@/app/api/payment/x402V1Payment/route";
export { POST as signV3 } from "@/app/api/payment/x402V3Payment/route";
export { GET as listLinkPayments } from "@/app/api/payment-links/[linkId]/payments/route";
export { DELETE as deleteLink, GET as getLink, PATCH as updateLink } from "@/app/api/payment-links/[linkId]/route";
export { POST as cancelRefund } from "@/app/api/payment-links/refunds/[refundId]/cancel/route";
export { GET as getRefund } from "@/app/api/payment-links/refunds/[refundId]/route";
export { POST as initiateRefund } from "@/app/api/payment-links/refunds/initiate/route";
export { GET as listRefunds } from "@/app/api/payment-links/refunds/route";
export { GET as listLinks, POST as createLink } from "@/app/api/payment-links/route";
export { GET as getPayment } from "@/app/api/payments/[paymentRecordId]/route";
export { GET as listPayments } from "@/app/api/payments/route";
export { POST as cancelPayout } from "@/app/api/payouts/[payoutId]/cancel/route";
export { GET as getPayout } from "@/app/api/payouts/[payoutId]/route";
export { GET as listPayouts, POST as createPayout } from "@/app/api/payouts/route";
export { GET as getReceivedPayment } from "@/app/api/received-payments/[paymentId]/route";
export { GET as listReceivedPayments } from "@/app/api/received-payments/route";
export {
  GET as getCancellation,
  POST as postCancellation,
} from "@/app/api/settlements/[settlementId]/cancellation/route";
export { GET as getReceipt } from "@/app/api/settlements/[settlementId]/receipt/route";
export { GET as getSettlement } from "@/app/api/settlements/[settlementId]/route";
export { POST as scanPromptSold } from "@/app/api/transaction-firewall/[firewallId]/api/prompt-scan/route";
export { POST as scanTransactionSold } from "@/app/api/transaction-firewall/[firewallId]/api/scan/route";
export { POST as scanX402Sold } from "@/app/api/transaction-firewall/[firewallId]/api/x402-scan/route";
export { POST as signV2 } from "@/app/api/v2/payment/x402-payment/route";
export { GET as searchResources } from "@/app/discovery/search/route";
export {
  DELETE as deletePaid,
  GET as getPaid,
  PATCH as patchPaid,
  POST as postPaid,
  PUT as putPaid,
} from "@/app/paid/[linkId]/[[...path]]/route";
export { GET as getPass } from "@/app/pass/[linkId]/route";
export { GET as payLink } from "@/app/paymentlink/[linkId]/route";
