import { failures } from "@/lib/core/errors";

export const invoiceErrors = failures({
  INVOICE_NOT_FOUND: ["not_found", "There is no such invoice"],
  INVOICE_NUMBER_TAKEN: ["conflict", "Another invoice of this owner has this number. Choose another, or leave it out"],
  INVOICE_PAID: ["conflict", "The invoice is paid and cannot be cancelled. To give the money back, refund its payment"],
  DUE_DATE_BEFORE_ISSUE: ["invalid", "dueDate must not be before issueDate, which is today (UTC) unless it is given"],
  DUE_DATE_IN_PAST: ["invalid", "dueDate must not have passed (UTC) if isPayableAfterDue is false"],
});
