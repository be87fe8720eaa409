import type { Calls } from "./calls";

/** A page generated from the contracts. */
export type Generated = {
  readonly slug: string;
  readonly label: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly group: string;
  readonly markdown: string;
  readonly isListed: boolean;
  /** Requests that a reader can send from the page. */
  readonly calls?: Calls;
};
