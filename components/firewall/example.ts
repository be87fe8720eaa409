import type { Draft } from "./drafts";

/** An example input of a scanner. The gallery separates attacks from harmless look-alikes. */
export type Example<Kind extends Draft = Draft> = {
  /** Part of shared links, so it must not change. */
  id: string;
  name: string;
  isAttack: boolean;
  /** One sentence on what to notice. */
  about: string;
  draft: Kind;
  /** The id of an example to compare with. */
  twin?: string;
};
