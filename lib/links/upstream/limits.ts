import { API_PATH_LENGTH_MAX, API_PATHS_MAX } from "@tessera/x402/api-document";

/** Limits of an upstream. Must not import zod, because browser forms may import this file. */
export const UPSTREAM_URL_LENGTH_MAX = 1_000;
export const UPSTREAM_PATHS_MAX = API_PATHS_MAX;
export const UPSTREAM_PATH_LENGTH_MAX = API_PATH_LENGTH_MAX;
export const UPSTREAM_HEADERS_MAX = 10;
/** All values together: they are searched for in every answer. */
export const UPSTREAM_HEADERS_LENGTH_MAX = 4_000;
export const UPSTREAM_SECONDS_MAX = 120;
export const UPSTREAM_SECONDS_DEFAULT = 20;
export const UPSTREAM_REQUEST_BYTES_MAX = 1_048_576;
export const UPSTREAM_ANSWER_BYTES_MAX = 5_242_880;
export const UPSTREAM_ANSWER_BYTES_DEFAULT = 1_048_576;
/** Answers up to this size are kept for a buyer who lost them, as long as the link's `kept_kb_per_link` lasts. */
export const KEPT_ANSWER_BYTES_MAX = 262_144;
/** How long after it settled a payment can be presented again: for its answer, or for another try after a failure. */
export const REPEAT_SECONDS = 3_600;
/** How long a removed upstream is kept for buyers at least: a proof presented before may take up to an hour to settle, and has its hour then. */
export const ENDED_UPSTREAM_SECONDS = 2 * REPEAT_SECONDS;
/** How long a buyer may take to read an answer after its end. It is in memory as long. */
export const DELIVERY_SECONDS = 120;
/** Requests to the upstream for one payment. */
export const TRIES_MAX = 10;
/** What a buyer waits while another request with the same proof is at the upstream. */
export const BUSY_WAIT_SECONDS = 2;
export const CALLS_SHOWN_MAX = 100;
export const SLOWEST_SHOWN_MAX = 5;
/** The figures of a link's calls go back as long. */
export const FIGURES_DAYS = 30;
/** Of the answer to a test call. */
export const TEST_ANSWER_LENGTH_MAX = 10_000;
/** A process that died does not hold a call for longer than this after its time limit. */
export const BUSY_MARGIN_SECONDS = 10;
