// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
// Why: docs/decisions.md, 444.

/** Characters of a name of anything. */
export const NAME_MAX = 100;
export const EMAIL_MAX = 254;

/** Why an address is on a list by mistake, as a stranger reports it. */
export const REPORT_REASON_MAX = 1000;
