// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.

export const LOGO_BYTES_MAX = 200_000;
export const LOGO_SIDE_MAX = 2_048;
export const SUPPORT_MAX = 200;
