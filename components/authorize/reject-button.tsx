"use client";

import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { usePost } from "./use-post";

export type RejectButtonProps = {
  /** The API path that refuses the request. */
  path: `/${string}`;
  token: string | undefined;
  label?: string | undefined;
  disabled?: boolean | undefined;
};

/** Needs no confirmation: refusing must not be harder than approving, and the agent can request again. */
export function RejectButton({ path, token, label = "Reject", disabled = false }: RejectButtonProps) {
  const { post, isBusy, problem } = usePost(path, token);
  return (
    <>
      <Button wide busy={isBusy} disabled={disabled} onClick={() => void post()}>
        {label}
      </Button>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="That did not work" className="order-last col-span-full">
          {problem}
        </Note>
      )}
    </>
  );
}
