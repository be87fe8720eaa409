import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { isForEditors } from "./strip-packages.mjs";

const lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      optionalDependencies: z.record(z.string(), z.string()).optional(),
      hasInstallScript: z.boolean().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});
const nameOf = (path: string) => path.replace(/^.*node_modules\//, "");
const packagesOf = (folder: string) =>
  lock.parse(JSON.parse(readFileSync(`${folder}/package-lock.json`, "utf8"))).packages;

// npm 12 skips the scripts of all others, and PostgreSQL then lacks its libraries.
test.each([".", "dev/tools", "tests/interop"])(
  "%s/package.json allows the install scripts that there are",
  (folder) => {
    const { allowScripts } = z
      .object({ allowScripts: z.record(z.string(), z.literal(true)) })
      .parse(JSON.parse(readFileSync(`${folder}/package.json`, "utf8")));
    const { "": own, ...installed } = packagesOf(folder);
    expect(own).toBeDefined();
    const withScript = Object.entries(installed).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(withScript.length).toBeGreaterThan(0);
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript.map(([path]) => nameOf(path)))].sort());
  },
);

// npm leaves out optional packages that it could not download, and `npm ci` then refuses the file on every machine.
test.each([".", "dev/tools", "tests/interop"])(
  "%s/package-lock.json has an entry for every optional package",
  (folder) => {
    const packages = packagesOf(folder);
    const installed = new Set(Object.keys(packages).map(nameOf));
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter((name) => !installed.has(name))).toEqual([]);
  },
);

test("a package that several package.json files name has one version", () => {
  const manifest = z.object({
    dependencies: z.record(z.string(), z.string()).default({}),
    devDependencies: z.record(z.string(), z.string()).default({}),
  });
  const versions = new Map<string, Set<string>>();
  for (const folder of [".", "dev/tools", "tests/interop"]) {
    const { dependencies, devDependencies } = manifest.parse(
      JSON.parse(readFileSync(`${folder}/package.json`, "utf8")),
    );
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  expect([...versions].filter(([, named]) => named.size > 1)).toEqual([]);
});

/** What everybody's first `npm install` may bring. What only tests or checks use belongs to tests/interop or dev/tools. */
const PACKAGES_MAX = 550;
/** The size of the files themselves. A disk with blocks of 4 KB needs a fifth more: some 900. */
const MEGABYTES_MAX = 780;

// The binaries of other systems have other sizes.
test.skipIf(platform() !== "linux")("the first installation stays within its limits of packages and bytes", () => {
  const installed = Object.keys(packagesOf(".")).filter((path) => path.includes("node_modules/") && existsSync(path));
  expect(installed.length).toBeLessThanOrEqual(PACKAGES_MAX);
  const args = [
    "--summarize",
    "--apparent-size",
    "--block-size=1M",
    "--exclude=.cache",
    "--exclude=.vite*",
    "node_modules",
  ];
  const megabytes = Number.parseInt(execFileSync("du", args, { encoding: "utf8" }), 10);
  expect(megabytes).toBeGreaterThan(0);
  expect(megabytes).toBeLessThanOrEqual(MEGABYTES_MAX);
});

/** As above: 450 on a disk with blocks of 4 KB. */
const PRODUCTION_MEGABYTES_MAX = 380;

test.skipIf(platform() !== "linux")("an installation for production stays within its limit of bytes", () => {
  const packages = packagesOf(".");
  const args = ["node_modules", "-type", "f", "-printf", "%s %p\\n"];
  const files = execFileSync("find", args, { encoding: "utf8", maxBuffer: 1 << 26 }).split("\n");
  let bytes = 0;
  for (const file of files) {
    const [, size, path = "", directory] = FILE.exec(file) ?? [];
    const owner = directory === undefined ? undefined : packages[directory];
    if (owner && !owner.dev && !isForEditors(path)) bytes += Number(size);
  }
  expect(bytes).toBeGreaterThan(0);
  expect(bytes / 1024 ** 2).toBeLessThanOrEqual(PRODUCTION_MEGABYTES_MAX);
});

/** A file's size, its path, and the directory of its package. */
const FILE = /^(\d+) ((.*node_modules\/(?:@[^/]+\/)?[^/]+)\/.*)$/;
