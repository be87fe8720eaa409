/** The origins of the pages that may frame a link's checkout. Never throws. */
export type FrameOrigins = (linkId: string) => Promise<readonly string[]>;

/** The checkout for frames: the only page of this service that other sites may frame. */
const FRAMED = /^\/embed\/pay\/(lnk_[0-9A-Za-z]{16,40})$/;

/** An origin that is safe in the header: it contains nothing that could begin another source or directive. */
const ORIGIN = /^https?:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?$/;

let readOrigins: FrameOrigins | null = null;

/** Until this call, no page may be framed. */
export function allowFrames(originsOf: FrameOrigins): void {
  readOrigins = originsOf;
}

/** Whether the page at `path` is for frames, and therefore has no session. */
export const isForFrames = (path: string): boolean => path.startsWith("/embed/");

/** The sources of the directive `frame-ancestors` for the page at `path`. Why: docs/decisions.md, 190. */
export async function frameAncestors(path: string): Promise<string> {
  const [, linkId] = FRAMED.exec(path) ?? [];
  const linkOrigins = linkId === undefined ? [] : ((await readOrigins?.(linkId)) ?? []);
  const origins = linkOrigins.filter((origin) => ORIGIN.test(origin));
  return origins.length > 0 ? origins.join(" ") : "'none'";
}
