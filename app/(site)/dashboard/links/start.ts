import type { LinkStart } from "@/components/links/draft";
import type { Link } from "@/lib/links/service";

/** What of a link its form begins with. */
export const startOf = ({
  amount,
  network,
  description,
  resourceContent,
  redirectUrl,
  expiresAt,
  maxUses,
}: Link): LinkStart => ({ amount, network, description, resourceContent, redirectUrl, expiresAt, maxUses });
