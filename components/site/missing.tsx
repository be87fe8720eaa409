import { type MissingTexts, missing } from "@/components/texts/en/missing";
import { buttonClass } from "@/components/ui/button";
import { PlainHeader } from "@/components/ui/plain-header";

export type MissingProps = { texts?: MissingTexts | undefined };

/** The "not found" page. Plain links, because Next sends it along with every page. */
export const Missing = ({ texts = missing }: MissingProps) => (
  <div className="grid gap-6">
    <PlainHeader title={texts.heading} description={texts.text} />
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
