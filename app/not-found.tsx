import type { Metadata } from "next";
import { LonePage } from "@/components/site/lone-page";
import { type MissingTexts, missing } from "@/components/texts/en/missing";
import { buttonClass } from "@/components/ui/button";
import { PlainHeader } from "@/components/ui/plain-header";
import { pageWords } from "./language";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await pageWords("missing")).texts.title };
}

export default async function NotFound() {
  const { texts } = await pageWords("missing");
  return (
    <LonePage>
      <Missing texts={texts} />
    </LonePage>
  );
}

type MissingProps = { texts?: MissingTexts | undefined };

/** The "not found" page. Plain links, because Next sends it along with every page. */
const Missing = ({ texts = missing }: MissingProps) => (
  <div className="grid gap-6">
    <PlainHeader title={texts.heading} description={texts.text} />
    <search>
      <form action="/docs/search" className="flex flex-wrap gap-2.5">
        <input
          type="search"
          name="q"
          required
          aria-label={texts.search}
          placeholder={texts.search}
          className="min-h-11 min-w-0 flex-1 rounded-control border border-field bg-card px-3 text-control placeholder:text-ink-3"
        />
        <button type="submit" className={buttonClass({})}>
          {texts.find}
        </button>
      </form>
    </search>
    <div className="flex flex-wrap gap-2.5">
      <a href="/dashboard" className={buttonClass({ variant: "primary" })}>
        {texts.dashboard}
      </a>
      <a href="/" className={buttonClass({})}>
        {texts.start}
      </a>
    </div>
  </div>
);
