import { failures } from "@/lib/core/errors";

export const ownerErrors = failures({
  session_not_found: ["not_found", "There is no such session of yours, or it has ended"],
});
