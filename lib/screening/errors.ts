import { failures, type Remedies } from "@/lib/core/errors";

export const screeningErrors = failures({
  payee_denied: [
    "forbidden",
    "This address is on a list of addresses that are not paid here. Nothing was signed or sent. `list` names the list",
  ],
  payer_denied: [
    "forbidden",
    "The payer's address is on a list of addresses whose payments are not accepted here. Nothing was sent to the chain. `list` names the list",
  ],
});

export const screeningRemedies: Remedies = {
  payee_denied: {
    cause:
      "The payee's address is on a list of the operator, for example of sanctioned addresses. `list` names it, `address` is the address. The owner cannot overrule it, and no signature was made.",
    remedy:
      "Do not pay this seller. If you think that this is a mistake, report it to the operator: `appealUrl` opens a prepared message, where the operator has named a contact.",
  },
  payer_denied: {
    cause:
      "The account that signed the payment is on a list of the operator. `list` names it. The proof was not shown to any node.",
    remedy:
      "No payment was taken. If you think that this is a mistake, report it to the operator: `appealUrl` opens a prepared message, where the operator has named a contact.",
  },
};
