import { failures } from "@/lib/core/errors";

export const ownerErrors = failures({
  session_not_found: ["not_found", "You have no such session, or it has ended"],
});
