import type { Draft } from "./drafts";

/** Something to try a scanner with. Attacks and the ordinary things that look like them are told apart in the gallery. */
export type Example<Kind extends Draft = Draft> = {
  /** Stands in links to the page, so it stays. */
  id: string;
  name: string;
  isAttack: boolean;
  /** What to notice, in a sentence. */
  about: string;
  draft: Kind;
  /** The id of what it is worth comparing with. */
  twin?: string;
};
