import { ButtonLink } from "./button-link";

export type LoadMoreProps = {
  /** Address of the next page; without one nothing is rendered. */
  href: string | undefined;
  label?: string | undefined;
};

/** Cursor paging with a plain link, which works before scripts have run. */
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
