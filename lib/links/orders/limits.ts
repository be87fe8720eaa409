// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
export const METADATA_KEYS_MAX = 20;
export const METADATA_KEY_MAX = 40;
export const METADATA_VALUE_MAX = 500;
export const PRESETS_MAX = 4;
export const QUANTITY_MAX = 10_000;
export const FIELDS_MAX = 5;
export const ANSWER_MAX = 200;
/** The signed offer, the challenge and the 402 repeat the URL, and clients limit the size of headers. */
export const QUERY_MAX = 2_000;

/** Reserved query parameters, which no buyer field can use as its name. */
export const RESERVED_NAMES: readonly string[] = ["amount", "quantity", "asset", "network", "key", "embed", "lang"];
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,39}$/;
