import { failures, type Remedies } from "@/lib/core/errors";

export const screeningErrors = failures({
  payee_denied: [
    "forbidden",
    "This payee is on a list of payees that are not paid, or is missing on the list of those that are. Nothing was signed or sent. `list` names the list",
  ],
  payer_denied: [
    "forbidden",
    "The payer's address is on a list of addresses whose payments are not accepted here. Nothing was sent to the chain. `list` names the list",
  ],
});

/** Of reports alone. */
export const reportErrors = failures({
  payee_not_denied: ["not_found", "This address is on no list of the operator, so there is nothing to report"],
});

export const screeningRemedies: Remedies = {
  payee_denied: {
    cause:
      "`list` is `yours`: the owner's own deny list has the payee, or the owner's agents pay only what is on the owner's allow list and it is not there (`rule` says which). Any other `list` is one of the operator, for example of sanctioned addresses, and the owner cannot overrule it. `address` or `host` is the payee. No signature was made.",
    remedy:
      "Do not pay this seller. The owner changes their own lists on the Wallet page. If an address is on a list of the operator by mistake, `appealUrl` is the page that reports it to them.",
  },
  payer_denied: {
    cause:
      "The account that signed the payment is on a list of the operator. `list` names it. The proof was not shown to any node.",
    remedy:
      "No payment was taken. If you think that this is a mistake, `appealUrl` is the page that reports it to the operator.",
  },
  payee_not_denied: {
    cause: "Only addresses on a list of the operator can be reported. An owner's own lists are not the operator's.",
    remedy: "If the owner's own list refused the payment, the owner changes it on the Wallet page.",
  },
};
