import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { LonePage } from "./lone-page";

export type NoSuchProps = { thing: "payment" | "payout" | "refund"; description: string };

/** Nothing to decide: whether it is not there or not this visitor's looks the same. */
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
