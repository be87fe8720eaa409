import { POST as registerAgent } from "@/app/(identity)/register/route";
import { GET as getUpl } from "@/app/(upl)/unifypaymentlink/agentid/[agentId]/route";
import { GET as selfStatus } from "@/app/api/agent/self/status/route";
import { POST as topUp } from "@/app/api/credits/top-up/route";
import { POST as cancelInvoice } from "@/app/api/invoices/[invoiceId]/cancel/route";
import { GET as getInvoice } from "@/app/api/invoices/[invoiceId]/route";
import { POST as createInvoice, GET as listInvoices } from "@/app/api/invoices/route";
import { GET as getMandate } from "@/app/api/mandates/agent/[mandateId]/route";
import { POST as createIntent } from "@/app/api/mandates/create-intent/route";
import { GET as listMandates } from "@/app/api/mandates/route";
import { POST as signV1 } from "@/app/api/payment/x402V1Payment/route";
import { POST as signV3 } from "@/app/api/payment/x402V3Payment/route";
import { GET as listLinkPayments } from "@/app/api/payment-links/[linkId]/payments/route";
import { DELETE as deleteLink, GET as getLink, PATCH as updateLink } from "@/app/api/payment-links/[linkId]/route";
import { POST as cancelRefund } from "@/app/api/payment-links/refunds/[refundId]/cancel/route";
import { GET as getRefund } from "@/app/api/payment-links/refunds/[refundId]/route";
import { POST as initiateRefund } from "@/app/api/payment-links/refunds/initiate/route";
import { GET as listRefunds } from "@/app/api/payment-links/refunds/route";
import { POST as createLink, GET as listLinks } from "@/app/api/payment-links/route";
import { GET as getPayment } from "@/app/api/payments/[paymentRecordId]/route";
import { GET as listPayments } from "@/app/api/payments/route";
import { POST as cancelPayout } from "@/app/api/payouts/[payoutId]/cancel/route";
import { GET as getPayout } from "@/app/api/payouts/[payoutId]/route";
import { POST as createPayout, GET as listPayouts } from "@/app/api/payouts/route";
import { GET as getReceivedPayment } from "@/app/api/received-payments/[paymentId]/route";
import { GET as listReceivedPayments } from "@/app/api/received-payments/route";
import {
  GET as getCancellation,
  POST as postCancellation,
} from "@/app/api/settlements/[settlementId]/cancellation/route";
import { GET as getReceipt } from "@/app/api/settlements/[settlementId]/receipt/route";
import { GET as getSettlement } from "@/app/api/settlements/[settlementId]/route";
import { POST as scanPromptSold } from "@/app/api/transaction-firewall/[firewallId]/api/prompt-scan/route";
import { POST as scanTransactionSold } from "@/app/api/transaction-firewall/[firewallId]/api/scan/route";
import { POST as scanX402Sold } from "@/app/api/transaction-firewall/[firewallId]/api/x402-scan/route";
import { POST as signV2 } from "@/app/api/v2/payment/x402-payment/route";
import { GET as searchResources } from "@/app/discovery/search/route";
import { GET as payLink } from "@/app/paymentlink/[linkId]/route";
import type { Handlers } from "@/lib/mcp/api";

/** The API handlers that the MCP tools call. */
export const handlers: Handlers = {
  registerAgent,
  selfStatus,
  createIntent,
  getMandate,
  signV1,
  signV2,
  signV3,
  createPayout,
  getPayout,
  listMandates,
  listPayments,
  getPayment,
  listPayouts,
  cancelPayout,
  createInvoice,
  listInvoices,
  getInvoice,
  cancelInvoice,
  topUp,
  getCancellation,
  postCancellation,
  createLink,
  listLinks,
  getLink,
  updateLink,
  deleteLink,
  listLinkPayments,
  listReceivedPayments,
  getReceivedPayment,
  initiateRefund,
  listRefunds,
  getRefund,
  cancelRefund,
  getReceipt,
  scanPromptSold,
  scanTransactionSold,
  scanX402Sold,
  searchResources,
  payLink,
  getUpl,
  getSettlement,
};
