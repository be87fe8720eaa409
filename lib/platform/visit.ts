import type { OwnerId } from "@/lib/core/ids";
import type { Actor } from "./context";

/** The viewer of a page where an owner decides about an agent's request. `unlinked`: signed in, and the agent has no owner. */
export type Viewer = "anonymous" | "unlinked" | "owner" | "stranger";

/** `ownerId`: the owner who decides; null while the requesting agent has no owner. */
export function viewerOf(actor: Actor, ownerId: OwnerId | null): Viewer {
  if (actor.type !== "owner") return "anonymous";
  if (ownerId === null) return "unlinked";
  return ownerId === actor.ownerId ? "owner" : "stranger";
}

/** The viewer's next step on such a page. */
export type VisitStep = "sign_in" | "claim" | "decide" | "linked_elsewhere" | "nothing";

export function nextStep(isUndecided: boolean, visitor: Viewer): VisitStep {
  if (visitor === "stranger") return "linked_elsewhere";
  if (!isUndecided) return "nothing";
  switch (visitor) {
    case "anonymous":
      return "sign_in";
    case "unlinked":
      return "claim";
    case "owner":
      return "decide";
    default:
      return visitor satisfies never;
  }
}
