// Without zod, because forms in the browser import them: zod probes for eval, which our CSP forbids.
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** All files of an owner together. */
export const STORED_BYTES_MAX = 200 * 1024 * 1024;
export const FILE_NAME_MAX = 150;
