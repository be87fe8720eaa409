/** Limits of a pass. Must not import zod, because browser forms may import this file. */
import { TRIES_MAX } from "../upstream/limits";

export const PASS_CALLS_MAX = 1_000_000;
/** The header by which an API says what a call on a pass by use has cost. */
export const COST_HEADER = "Tessera-Cost";
/** The same in `_meta` of the result of an MCP server's tool. */
export const COST_META = "tessera/cost";
/** A year. */
export const PASS_HOURS_MAX = 8_784;

/** How many failed calls come back for each call that a pass has, or for the worth of each: its calls ask the upstream as often as single ones can. */
export const FAILURES_PER_CALL_MAX = TRIES_MAX - 1;
