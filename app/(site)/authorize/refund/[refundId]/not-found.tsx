import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { Wordmark } from "@/components/ui/wordmark";

export const metadata = { title: "No such refund" };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
      <Wordmark />
      <PageHeader
        title="There is no such refund for you"
        description="Either there is none at this address, or it is for another account. Nothing has moved."
      />
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink href="/dashboard" variant="primary">
          Open dashboard
        </ButtonLink>
      </div>
    </main>
  );
}
