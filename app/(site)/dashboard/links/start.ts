import type { LinkStart } from "@/components/links/draft-types";
import type { Link } from "@/lib/links/service";

/** The initial state of the form for a link: everything but what belongs to one link alone. */
export const startOf = ({
  linkId: _linkId,
  id: _id,
  agentId: _agentId,
  reference: _reference,
  metadata: _metadata,
  invoiceId: _invoiceId,
  status: _status,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  deletedAt: _deletedAt,
  ...start
}: Link): LinkStart => start;
