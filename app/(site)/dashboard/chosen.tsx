import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import type { OwnerContext } from "../context";
import { isFound } from "./found";

export type ChosenProps = {
  ctx: OwnerContext;
  /** The path of the item's own page. */
  path: string;
  /** The details; rendered only if the owner has the item. */
  children: ReactNode;
};

/** The item shown beside a list (Panes). If the item was deleted, the list stays in place. */
export async function Chosen({ ctx, path, children }: ChosenProps) {
  if (!(await isFound(ctx, path))) {
    return <EmptyState title="Not found">It was deleted, or the address is mistyped.</EmptyState>;
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
