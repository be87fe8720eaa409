import { IDENTITY } from "./identity";
import { INVOICES } from "./invoices";
import { LINKS } from "./links";
import { MANDATES } from "./mandates";
import { PAYOUTS, REFUNDS, SETTLEMENTS } from "./money";
import { DOCUMENTS, OWNERS } from "./owners";
import { PAYMENTS } from "./payments";
import type { Said, Sayings } from "./said";
import { SELLERS } from "./sellers";
import { CREDITS, DISCOVERY, FACILITATOR, FIREWALLS } from "./services";
import { DID, ORIGIN } from "./values";
import { WEBHOOKS } from "./webhooks";

/** Every operation by its id. A test compares it with the endpoints, and its values with their schemas. */
export const REFERENCE: Sayings = {
  ...IDENTITY,
  ...MANDATES,
  ...PAYMENTS,
  ...LINKS,
  ...INVOICES,
  ...SELLERS,
  ...SETTLEMENTS,
  ...REFUNDS,
  ...PAYOUTS,
  ...FIREWALLS,
  ...FACILITATOR,
  ...DISCOVERY,
  ...CREDITS,
  ...WEBHOOKS,
  ...OWNERS,
  ...DOCUMENTS,
};

/** What the reference says about an operation, with the service's own origin in its examples. */
export function saidOf(id: string, baseUrl: string): Partial<Said> {
  const entry = REFERENCE[id];
  const { host } = new URL(baseUrl);
  const text = JSON.stringify(entry ?? {}).replaceAll(ORIGIN, baseUrl);
  return JSON.parse(text.replaceAll(DID, `did:web:${encodeURIComponent(host)}`)) as Partial<Said>;
}
