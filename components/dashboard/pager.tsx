import { ButtonLink } from "@/components/ui/button-link";

export type PagerProps = {
  /** The first page, when this is another one. */
  newest: string | undefined;
  /** The page after this one, when there is one. */
  older: string | undefined;
  /** What the two are called where the list does not run by time. */
  words?: { newest: string; older: string } | undefined;
};

/** Goes through a list that runs from the newest to the oldest. */
export function Pager({ newest, older, words = BY_TIME }: PagerProps) {
  if (newest === undefined && older === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap justify-center gap-2.5">
      {newest !== undefined && <ButtonLink href={newest}>{words.newest}</ButtonLink>}
      {older !== undefined && <ButtonLink href={older}>{words.older}</ButtonLink>}
    </nav>
  );
}

const BY_TIME = { newest: "Newest", older: "Show older" };
