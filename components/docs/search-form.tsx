import { Search } from "lucide-react";

export type SearchFormProps = { query?: string | undefined };

/** A plain GET form: the server renders the results. */
export const SearchForm = ({ query = "" }: SearchFormProps) => (
  <search>
    <form action="/docs/search" className="relative">
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3" />
      <input
        type="search"
        name="q"
        defaultValue={query}
        maxLength={100}
        aria-label="Search the documentation"
        placeholder="Search"
        className="min-h-10 w-full rounded-control border border-field bg-card pr-3 pl-9 text-control placeholder:text-ink-3 max-md:min-h-11"
      />
    </form>
  </search>
);
