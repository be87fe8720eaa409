import { agentRemedies } from "@/lib/agents/errors";
import { approvalRemedies } from "@/lib/approvals/errors";
import { refusalRemedies } from "@/lib/checkout/replies";
import { clearSigningRemedies } from "@/lib/clear-signing/errors";
import { confirmationRemedies } from "@/lib/confirmations/errors";
import type { Remedies } from "@/lib/core/errors";
import { creditRemedies } from "@/lib/credits/errors";
import { facilitatorRemedies } from "@/lib/facilitator/errors";
import { firewallRemedies } from "@/lib/firewall/errors";
import { edgeRemedies } from "@/lib/http/errors";
import { identityRemedies } from "@/lib/identity/errors";
import { invoiceRemedies } from "@/lib/invoices/errors";
import { linkRemedies } from "@/lib/links/errors";
import { uplRemedies } from "@/lib/links/upl/errors";
import { mandateRemedies } from "@/lib/mandates/errors";
import { vaultRemedies } from "@/lib/mandates/vaults/errors";
import { browserRemedies } from "@/lib/notices/browsers/errors";
import { noticeRemedies } from "@/lib/notices/errors";
import { ownerRemedies } from "@/lib/owners/errors";
import { payeeRemedies } from "@/lib/payees/errors";
import { paymentRemedies } from "@/lib/payments/errors";
import { payoutRemedies } from "@/lib/payouts/errors";
import { refundRemedies } from "@/lib/refunds/errors";
import { sellerRemedies } from "@/lib/sellers/errors";
import { settlementRemedies } from "@/lib/settlements/errors";
import { walletRemedies } from "@/lib/wallets/errors";
import { webhookRemedies } from "@/lib/webhooks/errors";

/** The remedies of all modules. A test compares the codes with those in the contracts. */
export const REMEDIES: Remedies = {
  ...agentRemedies,
  ...approvalRemedies,
  ...browserRemedies,
  ...clearSigningRemedies,
  ...confirmationRemedies,
  ...creditRemedies,
  ...edgeRemedies,
  ...facilitatorRemedies,
  ...firewallRemedies,
  ...identityRemedies,
  ...invoiceRemedies,
  ...linkRemedies,
  ...mandateRemedies,
  ...noticeRemedies,
  ...ownerRemedies,
  ...payeeRemedies,
  ...paymentRemedies,
  ...payoutRemedies,
  ...refundRemedies,
  ...refusalRemedies,
  ...sellerRemedies,
  ...settlementRemedies,
  ...uplRemedies,
  ...vaultRemedies,
  ...walletRemedies,
  ...webhookRemedies,
};
