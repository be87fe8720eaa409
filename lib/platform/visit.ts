import type { OwnerId } from "@/lib/core/ids";
import type { Actor } from "./context";

/** Who looks at the page on which an owner decides what an agent asked for; `unlinked`: signed in, and the agent is nobody's. */
export type Visitor = "nobody" | "unlinked" | "owner" | "stranger";

/** `ownerId`: who decides, null while the agent that asked has no owner. */
export function visitorOf(actor: Actor, ownerId: OwnerId | null): Visitor {
  if (actor.type !== "owner") return "nobody";
  if (ownerId === null) return "unlinked";
  return ownerId === actor.ownerId ? "owner" : "stranger";
}

/** What the person who looks at such a page can do next. */
export type NextStep = "sign_in" | "claim" | "decide" | "linked_elsewhere" | "nothing";

export function nextStep(isUndecided: boolean, visitor: Visitor): NextStep {
  if (visitor === "stranger") return "linked_elsewhere";
  if (!isUndecided) return "nothing";
  switch (visitor) {
    case "nobody":
      return "sign_in";
    case "unlinked":
      return "claim";
    case "owner":
      return "decide";
    default:
      return visitor satisfies never;
  }
}
