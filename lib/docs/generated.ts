import type { Calls } from "./calls";

/** A page that is generated from the contracts. */
export type Generated = {
  readonly slug: string;
  readonly label: string;
  readonly group: string;
  readonly markdown: string;
  readonly isListed: boolean;
  /** What a reader can send from the page. */
  readonly calls?: Calls;
};
