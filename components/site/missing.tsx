import { buttonClass } from "@/components/ui/button";
import { PlainHeader } from "@/components/ui/plain-header";

/** What a page that is not there says. With plain links: every page is sent it, in case. */
export function Missing() {
  return (
    <div className="grid gap-6">
      <PlainHeader
        title="There is nothing here"
        description="The address may be mistyped, or the page belongs to another account. No money has moved."
      />
      <div className="flex flex-wrap gap-2.5">
        <a href="/dashboard" className={buttonClass({ variant: "primary" })}>
          Open dashboard
        </a>
        <a href="/" className={buttonClass({})}>
          Go to the start
        </a>
      </div>
    </div>
  );
}
