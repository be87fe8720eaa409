import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type BuildOptions, build, context, type Plugin } from "esbuild";

/**
 * Compiles lib/ and the route handlers of app/ into a package in node_modules. Pages, routes, instrumentation.ts and the server
 * then share one copy of each module. Otherwise Next would bundle lib/ once per kind of entry; it leaves to Node only the real
 * directories that `serverExternalPackages` names. ops/lib-loader.cjs redirects Next's imports of lib/ to the package.
 *
 *   service.js    all modules; `load("lib/links/service")` evaluates a module on first use
 *   routes.json   the path, methods and module of each route handler
 * Why: docs/decisions.md, 440.
 */
export const PACKAGE = join("node_modules", "@tessera", "lib");
export const SERVICE = join(PACKAGE, "service.js");

/** Packages that load their own files at run time, contain native code, or belong to Next and must exist once per process. */
const EXTERNAL = [
  "next",
  "next/*",
  "next-auth",
  "next-auth/*",
  "react",
  "react-dom",
  "nodemailer",
  "pg",
  "pino",
  "prom-client",
  "secp256k1",
  "web-push",
  "@opentelemetry/*",
];

/** URLs that a route handler shares with a page (next.config.ts). */
const SHARED: RouteTable = {
  "/pay/{linkId}": { methods: ["GET"], module: null },
  "/receipt/{settlementId}": { methods: ["GET"], module: null },
};

/** Nothing else is below it, and its handler reads the rest of the path from the request. */
const PAID_CALLS = "/paid/{linkId}/{...path}";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Routes by path, with parameter names in braces. `module` is null if only Next handles the path. */
export type RouteTable = Record<string, { methods: string[]; module: string | null }>;

/** Throws esbuild's BuildFailure. */
export async function compileLib(directory = "."): Promise<void> {
  // Removed first, because a copy of this checkout may share the files.
  rmSync(join(directory, PACKAGE), { recursive: true, force: true });
  await build(optionsFor(directory, []));
}

/** Compiles now and after each change of a source. Calls `compiled` after each successful build. */
export async function watchLib(compiled: () => void): Promise<void> {
  const notify: Plugin = {
    name: "notify",
    setup: ({ onEnd }) => onEnd(({ errors }) => void (errors.length === 0 && compiled())),
  };
  const watching = await context(optionsFor(".", [notify]));
  await watching.watch();
}

function optionsFor(directory: string, plugins: readonly Plugin[]): BuildOptions {
  return {
    entryPoints: [ENTRY],
    plugins: [entryOf(directory), ...plugins],
    absWorkingDir: resolve(directory),
    outfile: SERVICE,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    tsconfig: "tsconfig.json",
    external: EXTERNAL,
    // Code from V8's cache has no dynamic import.
    supported: { "dynamic-import": false },
    sourcemap: process.env.SERVER_SOURCE_MAPS === "on" ? "linked" : false,
    logLevel: "warning",
  };
}

const ENTRY = "every-module";

/** The entry module, which can load all others. */
const entryOf = (directory: string): Plugin => ({
  name: "entry",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: new RegExp(`^${ENTRY}$`) }, ({ path }) => ({ path, namespace: ENTRY }));
    onLoad({ filter: /^/, namespace: ENTRY }, () => {
      const modules = filesIn(directory, "lib")
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map(withoutSuffix);
      const handlers = Object.values(writeRoutes(directory)).flatMap(({ module }) => module ?? []);
      const rows = [...modules, ...handlers].map(
        (name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(`@/${name}`)})`,
      );
      return {
        contents: `const loaders = {${rows.join(",\n")}};\nexport const load = (name) => loaders[name]();`,
        resolveDir: resolve(directory),
        watchDirs: ["lib", "app"].flatMap((folder) => [
          resolve(directory, folder),
          ...entriesIn(directory, folder)
            .filter((entry) => entry.isDirectory())
            .map((entry) => resolve(entry.parentPath, entry.name)),
        ]),
      };
    });
  },
});

/** Writes everything except service.js. */
export function writeRoutes(directory = "."): RouteTable {
  const outputDirectory = join(directory, PACKAGE);
  const routes = readRoutes(directory);
  write(
    join(outputDirectory, "package.json"),
    JSON.stringify({ name: "@tessera/lib", version: "1.0.0", main: "service.js" }),
  );
  write(join(outputDirectory, "routes.json"), JSON.stringify(routes));
  return routes;
}

/** The route handlers of app/. */
export function readRoutes(directory = "."): RouteTable {
  const files = filesIn(directory, "app").filter((file) => file.endsWith("/route.ts"));
  const appRoutes = files.map((file) => {
    const path = file.replace(/^app|\/route\.ts$|\/\([^)]*\)/g, "").replace(/\[+([^\]]+)\]+/g, "{$1}");
    // Next decides where a rest parameter or a page could also match, and next-auth needs Next's request type.
    const isNext = path.includes("{...") && path !== PAID_CALLS;
    const exported = readFileSync(join(directory, file), "utf8").match(/^export .*$/gm) ?? [];
    const methods = METHODS.filter((method) => exported.some((line) => new RegExp(`\\b${method}\\b`).test(line)));
    return [path, { methods, module: isNext ? null : withoutSuffix(file) }] as const;
  });
  return Object.fromEntries([...appRoutes, ...Object.entries(SHARED)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const entriesIn = (directory: string, folder: string) =>
  readdirSync(join(directory, folder), { withFileTypes: true, recursive: true });

const filesIn = (directory: string, folder: string): string[] =>
  entriesIn(directory, folder)
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();

const withoutSuffix = (file: string): string => file.replace(/\.ts$/, "");

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

if (import.meta.filename === process.argv[1]) await compileLib();
