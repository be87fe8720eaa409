import { ButtonLink } from "@/components/ui/button-link";

export type PagerProps = {
  /** URL of the first page; undefined on the first page. */
  newest: string | undefined;
  /** URL of the next page; undefined on the last page. */
  older: string | undefined;
  /** Labels for lists that are not ordered by time. */
  words?: { newest: string; older: string } | undefined;
};

/** Links to the first and the next page of a list. */
export function Pager({ newest, older, words: labels = BY_TIME }: PagerProps) {
  if (newest === undefined && older === undefined) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap justify-center gap-2.5">
      {newest !== undefined && <ButtonLink href={newest}>{labels.newest}</ButtonLink>}
      {older !== undefined && <ButtonLink href={older}>{labels.older}</ButtonLink>}
    </nav>
  );
}

const BY_TIME = { newest: "Newest", older: "Show older" };
