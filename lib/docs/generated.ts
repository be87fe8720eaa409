/** A page that is generated from the contracts. */
export type Generated = {
  readonly slug: string;
  readonly label: string;
  readonly group: string;
  readonly markdown: string;
  readonly isListed: boolean;
};
