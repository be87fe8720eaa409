import type { LinkId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";

type Configured = Pick<System, "config">;

export const linkUrl = ({ config }: Configured, linkId: LinkId): string => `${config.baseUrl}/pay/${linkId}`;

/** Where buyers request a link's upstream; `path` begins with a slash. */
export const paidUrl = ({ config }: Configured, linkId: LinkId, path = ""): string =>
  `${config.baseUrl}/paid/${linkId}${path}`;
