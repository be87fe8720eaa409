import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import type { OwnerContext } from "../context";
import { isFound } from "./found";

export type ChosenProps = {
  ctx: OwnerContext;
  /** The page of the thing. */
  path: string;
  /** Its details; rendered only if the owner has it. */
  children: ReactNode;
};

/** The thing that is shown beside a list (Panes). The list stays where it is if the thing is deleted. */
export async function Chosen({ ctx, path, children }: ChosenProps) {
  if (!(await isFound(ctx, path))) {
    return <EmptyState title="It is not here">It was deleted, or the address is mistyped.</EmptyState>;
  }
  return (
    <>
      {children}
      <div>
        <ButtonLink size="small" href={path}>
          Open its page
        </ButtonLink>
      </div>
    </>
  );
}
