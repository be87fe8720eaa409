/** Limits of a pass. Must not import zod, because browser forms may import this file. */
export const PASS_CALLS_MAX = 1_000_000;
/** A year. */
export const PASS_HOURS_MAX = 8_784;
export const PASSES_SHOWN_MAX = 100;
