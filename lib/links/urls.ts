import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";

export const linkUrl = ({ config }: Pick<System, "config">, linkId: LinkId): string =>
  `${config.baseUrl}/pay/${linkId}`;

/** Where buyers request a link's upstream; `path` begins with a slash. */
export const paidUrl = (baseUrl: string, linkId: LinkId, path = ""): string => `${baseUrl}/paid/${linkId}${path}`;

/** The OpenAPI document of the API that a link sells. */
export const soldApiUrl = (baseUrl: string, linkId: LinkId): string =>
  `${baseUrl}/api/payment-links/${linkId}/openapi.json`;
