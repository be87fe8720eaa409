import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { Wordmark } from "@/components/ui/wordmark";

export const metadata = { title: "No such payout" };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
      <Wordmark />
      <PageHeader
        title="There is no such payout for you"
        description="Either nobody asks for one at this address, or it is for another account. If your agent sent you here, ask it for the whole link: it ends with a token. Nothing was paid."
      />
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink href="/dashboard" variant="primary">
          Open dashboard
        </ButtonLink>
      </div>
    </main>
  );
}
