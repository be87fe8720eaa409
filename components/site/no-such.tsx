import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { LonePage } from "./lone-page";

export type NoSuchProps = { thing: "payment" | "payout" | "refund" | "payee"; description: string };

/** Shown for items that do not exist and for items of other owners, without distinction. */
export const NoSuch = ({ thing, description }: NoSuchProps) => (
  <LonePage>
    <PageHeader title={`There is no such ${thing} for you`} description={description} />
    <div className="flex flex-wrap gap-2.5">
      <ButtonLink href="/dashboard" variant="primary">
        Open dashboard
      </ButtonLink>
    </div>
  </LonePage>
);
