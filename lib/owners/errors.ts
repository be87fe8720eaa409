import { failures, type Remedies } from "@/lib/core/errors";

export const ownerErrors = failures({
  session_not_found: ["not_found", "You have no such session, or it has ended"],
});

export const ownerRemedies: Remedies = {
  session_not_found: {
    cause: "The session has ended, or belongs to another account.",
    remedy: "List yours with `GET /api/sessions`.",
  },
};
