import { failures, type Remedies } from "@/lib/core/errors";

export const invoiceErrors = failures({
  INVOICE_NOT_FOUND: ["not_found", "There is no such invoice"],
  INVOICE_NUMBER_TAKEN: ["conflict", "Another invoice of this owner has this number. Choose another, or leave it out"],
  INVOICE_PAID: ["conflict", "The invoice is paid and cannot be cancelled. To give the money back, refund its payment"],
  DUE_DATE_BEFORE_ISSUE: ["invalid", "dueDate must not be before issueDate, which is today (UTC) unless it is given"],
  DUE_DATE_IN_PAST: ["invalid", "dueDate must not have passed (UTC) if isPayableAfterDue is false"],
});

export const invoiceRemedies: Remedies = {
  invoice_not_found: {
    cause: "The id is wrong, or the invoice belongs to another seller.",
    remedy: "A seller lists invoices with `GET /api/invoices`. A buyer asks the seller for the address.",
  },
  invoice_number_taken: {
    cause: "Each invoice of an owner has a number of its own, whichever agent made it.",
    remedy: "Leave `number` out to get the next one, or choose another.",
  },
  invoice_paid: {
    cause: "The chain shows the payment of this invoice.",
    remedy: "Refund the payment with `POST /api/payment-links/refunds/initiate`.",
  },
  due_date_before_issue: {
    cause: "`dueDate` is before `issueDate`. Both are days in UTC; the day of issue is today unless you send it.",
    remedy: "Send a `dueDate` on or after the day of issue.",
  },
  due_date_in_past: {
    cause: "With `isPayableAfterDue: false`, an invoice whose due date has passed could never be paid.",
    remedy: "Send a later `dueDate`, or leave `isPayableAfterDue` out.",
  },
};
