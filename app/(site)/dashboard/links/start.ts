import type { LinkStart } from "@/components/links/draft-types";
import type { Link } from "@/lib/links/service";

/** The form's initial values from a link, without the fields that are unique to one link. */
export const startOf = ({
  linkId: _linkId,
  id: _id,
  agentId: _agentId,
  reference: _reference,
  metadata: _metadata,
  invoiceId: _invoiceId,
  sealedUpstreamHeaders: _headers,
  status: _status,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  deletedAt: _deletedAt,
  ...start
}: Link): LinkStart => start;
