// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
export const REASON_MAX = 1000;
