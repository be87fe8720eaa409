import { failures, type Remedies } from "@/lib/core/errors";

export const payeeErrors = failures({
  payee_list_full: ["conflict", "This list of payees has no room for more entries. Remove some first"],
  payee_not_found: ["not_found", "There is no such payee"],
  payee_refused: [
    "forbidden",
    "The user refused to pay this address for this host. Do not request it again unless they ask you to",
  ],
});

export const payeeRemedies: Remedies = {
  payee_list_full: {
    cause: "An owner's deny list and allow list have at most 500 entries each.",
    remedy: "Remove entries that are no longer needed. A host without a port stands for all of its ports.",
  },
  payee_not_found: {
    cause: "The id is wrong, or the payee belongs to another owner.",
    remedy:
      "Open the page of the mandate: it lists the payees that wait for confirmation and those that are confirmed.",
  },
  payee_refused: {
    cause:
      "The owner looked at this address for this host and refused it. Mandates that confirm payees do not pay it, even if the host confirms it now.",
    remedy:
      "Request the resource again: the seller may ask to be paid at another address. If the address is right, show the owner `approvalUrl`, where they can change the decision.",
  },
};
