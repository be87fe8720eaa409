import { page } from "@/components/texts/en/page";

/** The first link of every document, shown while it has the focus. */
export const SkipLink = ({ text = page.skip }: { text?: string | undefined }) => (
  <a
    href="#main"
    className="absolute top-2 start-2 z-50 -translate-y-20 rounded-control bg-brand px-4 py-2.5 font-medium text-on-brand focus:translate-y-0"
  >
    {text}
  </a>
);
