import type { Forge, Part } from "../forge";

/** A way to forge a token out of a good one. */
export type Row = readonly [name: string, forge: (m: Forge) => string];

export const now = () => Math.floor(Date.now() / 1000);
export const textOf = (part: Part) => JSON.stringify(part);
