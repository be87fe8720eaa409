import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";

export const linkUrl = ({ config }: Pick<System, "config">, linkId: LinkId): string =>
  `${config.baseUrl}/pay/${linkId}`;

/** Where buyers request a link's upstream; `path` begins with a slash. */
export const paidUrl = (baseUrl: string, linkId: LinkId, path = ""): string => `${baseUrl}/paid/${linkId}${path}`;

/** Where MCP clients connect to buy the tools of a link's upstream. */
export const mcpUrl = (baseUrl: string, linkId: LinkId): string => `${baseUrl}/mcp/${linkId}`;

/** The OpenAPI document of the API that a link sells. */
export const soldApiUrl = (baseUrl: string, linkId: LinkId): string =>
  `${baseUrl}/api/payment-links/${linkId}/openapi.json`;

/**
 * Where buyers get a pass for a link's upstream. Not below `paidUrl`, where every path may be the upstream's own. `terms`: those of the
 * pass that is offered; without them, a pass that was bought is read there, and none is sold.
 */
export const passUrl = (baseUrl: string, linkId: LinkId, terms?: string): string =>
  `${baseUrl}/pass/${linkId}${terms === undefined ? "" : `?terms=${encodeURIComponent(terms)}`}`;
