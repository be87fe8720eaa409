import type { AppError } from "@/lib/core/errors";
import { linkErrors } from "./errors";
import { type Uses, unavailable } from "./rules";

/** Why a link cannot be paid at `now`, as its buyer is told; null when it can. */
export function closedBecause(
  link: Parameters<typeof unavailable>[0] & { disabledMessage: string | null },
  uses: Uses,
  now: Date,
): AppError | null {
  const reason = unavailable(link, uses, now);
  switch (reason) {
    case null:
      return null;
    case "LINK_DISABLED":
      return linkErrors.LINK_DISABLED(
        link.disabledMessage === null ? undefined : { sellerMessage: link.disabledMessage },
      );
    case "LINK_SOLD_OUT":
      return uses.open > 0
        ? linkErrors.LINK_SOLD_OUT({ message: PLACES_HELD, pendingPayments: uses.open })
        : linkErrors.LINK_SOLD_OUT();
    case "LINK_EXPIRED":
      return linkErrors.LINK_EXPIRED();
    default:
      return reason satisfies never;
  }
}

const PLACES_HELD =
  "All places are taken, some by payments that are not over yet. A place opens again if one of them fails. This request took no payment";
