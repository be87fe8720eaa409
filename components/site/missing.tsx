import { buttonClass } from "@/components/ui/button";
import { PlainHeader } from "@/components/ui/plain-header";

/** The "not found" page. Plain links, because Next sends it along with every page. */
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
