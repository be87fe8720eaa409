/** What is asked for: `route` that responds at `path`, or null where only Next does. */
export type Asked = { path: string; route: string | null; wantsPage: boolean };

/** Routes that count as pages: the documentation in other forms, sign-in, and what nothing responds to. */
const ROUTES = /^\/(?:docs\/|llms(?:-full)?\.txt|tessera-\w+\.tgz|api\/(?:auth\/|\{))/;
/** Pages that share their URL with a resource. */
const SHARED = /^\/(?:pay|receipt)\//;
/** What Next reads from the disk: unlike the rest of /_next it costs little. */
const STATIC_FILES = /^\/(?:_next\/static\/|icon\.svg$|home\.js$|sw\.js$)/;

/** In calls of `GET /healthz`, as the table of costs in docs/operations.md measures it. The first that fits counts. */
const WORK: readonly (readonly [path: RegExp, work: number])[] = [
  [/^\/api\//, 8],
  // Next knows a path in other spellings, too.
  [/^\/dashboard$|[%\\]|\/\/|.\/$/, 140],
  [/^\/dashboard\/wallet/, 120],
  [/^\/mandates\//, 115],
  [/^\/dashboard\//, 90],
  [/^\/authorize\//, 80],
  [/^\/(?:pay|receipt|embed|docs)\//, 50],
  [/^/, 30],
];

/** What a page costs at most: what it takes of `page_work_per_address`. 0 for what is no page. */
export function pageWork({ path, route, wantsPage }: Asked): number {
  const isPage = route === null ? !STATIC_FILES.test(path) : ROUTES.test(route) || (SHARED.test(route) && wantsPage);
  return isPage ? (WORK.find(([pattern]) => pattern.test(path))?.[1] ?? 0) : 0;
}
