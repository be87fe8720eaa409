import { failures } from "@/lib/core/errors";

export const savedViewErrors = failures({
  view_not_found: ["not_found", "You have no such saved view"],
  view_exists: ["conflict", "You have a saved view of this list with this name. Choose another name"],
  too_many_views: ["conflict", "You have as many saved views of this list as you can. Delete one first"],
});
