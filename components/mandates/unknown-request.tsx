"use client";

import { useQuery } from "@/components/site/location";
import { buttonClass } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";

/** Shown for unknown requests and for requests of other owners, without distinction. The advice depends on whether the URL has a token. */
export function UnknownRequest() {
  const hasToken = (useQuery().get("token") ?? "") !== "";
  return (
    <div className="grid gap-6">
      {hasToken ? (
        <PageHeader
          title="This link does not open a request"
          description="The request may be decided or expired, or part of the link is missing. Ask your agent for a new link. No money has moved."
        />
      ) : (
        <PageHeader
          title="There is nothing here for you to sign"
          description="This request does not exist, or it belongs to another account. If your agent sent you here, ask it for the full link, which ends with a token. No money has moved."
        />
      )}
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink href="/dashboard" variant="primary">
          Open dashboard
        </ButtonLink>
        <a href="/" className={buttonClass({})}>
          Go to the home page
        </a>
      </div>
    </div>
  );
}
