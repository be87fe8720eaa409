"use client";

import { usePost } from "@/components/authorize/use-post";
import { Button } from "@/components/ui/button";

/** `label`: which request it rejects, for those who do not see the row. */
export function RejectItem({ path, label }: { path: `/${string}`; label: string }) {
  const { post, isBusy, problem } = usePost(path, undefined);
  return (
    <>
      <Button size="small" busy={isBusy} aria-label={label} onClick={() => void post()}>
        Reject
      </Button>
      {problem !== undefined && (
        <span role="alert" className="w-full text-small text-bad">
          {problem}
        </span>
      )}
    </>
  );
}
