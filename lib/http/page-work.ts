/** A request. `route` is the route that responds at `path`, or null where only Next does. */
export type PageRequest = { path: string; route: string | null; wantsPage: boolean };

/** Routes that count as pages: other forms of the documentation, sign-in, and unknown API paths. */
const ROUTES =
  /^\/(?:docs\/|llms(?:-full)?\.txt|server\.json|\.well-known\/(?:agent-)?skills\/|tessera(?:-\w+\.tgz|\.mcpb)|api\/(?:auth\/|\{))/;
/** Pages that share their URL with a resource. */
const SHARED = /^\/(?:pay|receipt)\//;
/** Files that Next reads from disk: unlike the rest of /_next they cost little. */
const STATIC_FILES = /^\/(?:_next\/static\/|icon\.svg$|home\.js$|sw\.js$)/;

/** Work by path, in units of `GET /healthz` (table of costs in docs/operations.md). The first match counts. */
const WORK: readonly (readonly [path: RegExp, work: number])[] = [
  [/^\/api\//, 8],
  // Next also accepts other spellings of a path.
  [/^\/dashboard$|[%\\]|\/\/|.\/$/, 140],
  [/^\/dashboard\/wallet/, 120],
  [/^\/mandates\//, 115],
  [/^\/dashboard\//, 90],
  [/^\/authorize\//, 80],
  [/^\/(?:(?:pay|receipt|embed|docs)\/|(?:firewall|llms-full\.txt)$)/, 50],
  [/^/, 30],
];

/** Maximum cost of a page, deducted from `page_work_per_address`; 0 for other requests. */
export function pageWork({ path, route, wantsPage }: PageRequest): number {
  const isPage = route === null ? !STATIC_FILES.test(path) : ROUTES.test(route) || (SHARED.test(route) && wantsPage);
  return isPage ? (WORK.find(([pattern]) => pattern.test(path))?.[1] ?? 0) : 0;
}
