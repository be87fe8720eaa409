import { failures } from "@/lib/core/errors";

export const payeeErrors = failures({
  payee_not_found: ["not_found", "There is no such payee"],
  payee_refused: [
    "forbidden",
    "The user refused to pay this address for this host. Do not request it again unless they ask you to",
  ],
});
