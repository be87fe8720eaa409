import type { Part, TokenParts } from "./parts";

/** A way to forge a token out of a good one. */
export type Row = readonly [name: string, forge: (m: TokenParts) => string];

export const now = () => Math.floor(Date.now() / 1000);
export const textOf = (part: Part) => JSON.stringify(part);
