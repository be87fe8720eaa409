import { ButtonLink } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";

/** What a page that is not there says. */
export function Missing() {
  return (
    <div className="grid gap-6">
      <PageHeader
        title="There is nothing here"
        description="The address may be mistyped, or the page belongs to another account. No money has moved."
      />
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink href="/dashboard" variant="primary">
          Open dashboard
        </ButtonLink>
        <ButtonLink href="/">Go to the start</ButtonLink>
      </div>
    </div>
  );
}
