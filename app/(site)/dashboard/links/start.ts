import type { LinkStart } from "@/components/links/draft";
import type { Link } from "@/lib/links/service";

/** The initial state of the form for a link. */
export const startOf = ({
  amount,
  network,
  description,
  resourceContent,
  redirectUrl,
  expiresAt,
  maxUses,
  isListed,
}: Link): LinkStart => ({ amount, network, description, resourceContent, redirectUrl, expiresAt, maxUses, isListed });
