import type { LinkId } from "@/lib/core/ids";
import { readUrl } from "@/lib/core/receiver-url";
import type { System } from "@/lib/platform/context";
import { isOwnUrl, isWebPort } from "@/lib/platform/outbound-guard";
import { linkErrors } from "../errors";
import type { Link } from "../rules";
import { DEFAULT_METHODS, type UpstreamInput } from "./fields";
import { toolPath } from "./tools/names";

/** What a sealed value of a link is bound to. */
const sealedFor = (linkId: LinkId) => `upstream:${linkId}`;

/** The columns of a link's upstream. */
export type UpstreamColumns = Pick<Link, "upstream" | "sealedUpstreamHeaders">;

/**
 * What a link stores of an upstream. `previous`: the link's own, whose secret headers stay if the request names none and the origin is
 * the same; anybody with the agent's login could otherwise have them sent elsewhere. Throws UPSTREAM_URL_INVALID.
 */
export function toColumns(
  system: System,
  linkId: LinkId,
  input: UpstreamInput | null,
  previous: UpstreamColumns | null,
): UpstreamColumns {
  if (input === null) return { upstream: null, sealedUpstreamHeaders: null };
  const { kind, headers, methods = DEFAULT_METHODS, paths = [], tools = [], pass, ...terms } = input;
  const url = kind === "mcp" ? readUpstreamUrl(system, input.url).href : readBaseUrl(system, input.url);
  const sold = kind === "mcp" ? tools.map(({ name, amount }) => ({ path: toolPath(name), amount })) : paths;
  const isSameOrigin = previous?.upstream != null && new URL(previous.upstream.url).origin === new URL(url).origin;
  const kept = headers === undefined && isSameOrigin ? previous : null;
  const secrets = headers ?? {};
  const names = kept?.upstream?.headerNames ?? Object.keys(secrets);
  return {
    upstream: {
      ...terms,
      kind,
      url,
      methods: kind === "mcp" ? ["POST"] : methods,
      paths: sold.map(({ path, amount }) => ({ path, amount: amount === null ? null : `${amount}` })),
      headerNames: names,
      pass: pass && { ...pass, amount: `${pass.amount}` },
    },
    sealedUpstreamHeaders:
      kept?.sealedUpstreamHeaders ??
      (names.length > 0 ? system.vault.seal(JSON.stringify(secrets), sealedFor(linkId)) : null),
  };
}

/** The base URL of an API as it is stored: without a slash at the end. Throws UPSTREAM_URL_INVALID. */
export const readBaseUrl = (system: System, text: string): string =>
  readUpstreamUrl(system, text).href.replace(/\/+$/, "");

/** Throws UPSTREAM_URL_INVALID. */
export function readUpstreamUrl(system: System, text: string): URL {
  const read = readUrl(text, system.config.mode === "devnet");
  if (read.type === "invalid") throw linkErrors.UPSTREAM_URL_INVALID({ reason: read.fault });
  const url = new URL(read.url);
  if (url.search !== "") throw linkErrors.UPSTREAM_URL_INVALID({ reason: "url_has_query" });
  // Drops the mark of an empty query, which the paths would be added to.
  url.search = "";
  if (!isWebPort(system, url)) throw linkErrors.UPSTREAM_URL_INVALID({ reason: "url_has_port" });
  if (isOwnUrl(system, url)) throw linkErrors.UPSTREAM_URL_INVALID({ reason: "url_is_ours" });
  return url;
}

/** The seller's secret headers. */
export const secretHeaders = (
  { vault }: Pick<System, "vault">,
  { linkId, sealedUpstreamHeaders }: Pick<Link, "linkId" | "sealedUpstreamHeaders">,
): Record<string, string> =>
  sealedUpstreamHeaders === null ? {} : JSON.parse(vault.open(sealedUpstreamHeaders, sealedFor(linkId)));
