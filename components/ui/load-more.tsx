import { ButtonLink } from "./button-link";

export type LoadMoreProps = {
  /** Address of the next page; nothing is drawn when there is none. */
  href: string | undefined;
  label?: string | undefined;
};

/** Cursor paging: a plain link, so that it works before any script has run. */
export function LoadMore({ href, label = "Show more" }: LoadMoreProps) {
  if (href === undefined) return null;
  return (
    <nav aria-label="More results" className="flex justify-center">
      <ButtonLink href={href} scroll={false}>
        {label}
      </ButtonLink>
    </nav>
  );
}
