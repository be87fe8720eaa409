// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** Total size of an owner's files and images. */
export const STORED_BYTES_MAX = 200 * 1024 * 1024;
export const FILE_NAME_MAX = 150;
