import * as approvals from "@/lib/approvals/service";
import * as credits from "@/lib/credits/service";
import * as links from "@/lib/links/checkout/service";
import * as funds from "@/lib/mandates/funds/reading";
import { openLedger } from "@/lib/mandates/reservations/ledger";
import * as vaults from "@/lib/mandates/vaults/reading";
import * as payees from "@/lib/payees/service";
import * as payments from "@/lib/payments/service";
import * as payouts from "@/lib/payouts/service";
import type { Subscriber } from "@/lib/platform/subscriber";
import * as hosts from "@/lib/purchases/hosts/service";
import * as recoveries from "@/lib/recoveries/service";
import * as refunds from "@/lib/refunds/service";

/** The ledger of budgets, with the domains that record events when a reservation changes. */
export const ledger = openLedger([payments.recordEnds, payouts.recordExcess]);

/** Every domain that reacts to facts from the chain or spends for an owner, in the order in which they lock their tables. */
export const subscribers: readonly Subscriber[] = [
  ledger.subscriber,
  links.subscriber,
  refunds.subscriber,
  credits.subscriber,
  payouts.subscriber,
  vaults.subscriber,
  funds.subscriber,
  approvals.subscriber,
  payees.subscriber,
  hosts.subscriber,
  recoveries.subscriber,
];
