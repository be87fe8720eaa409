// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
export const IMAGE_BYTES_MAX = 1024 * 1024;
/** In pixels. */
export const IMAGE_SIDE_MIN = 64;
export const IMAGE_SIDE_MAX = 4_096;
