// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
export const URL_MAX = 2000;
export const DESCRIPTION_MAX = 200;
