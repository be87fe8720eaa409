import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { arePackagesInstalled } from "./dev/local/extra-packages";
import { PATIENCE } from "./tests/support/patience";

const root = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "");
/** As tsconfig.json has them. */
const resolve = {
  alias: [
    { find: /^@tessera\/client$/, replacement: `${root}/packages/client/src/index.ts` },
    { find: /^@tessera\/client\/(.+)$/, replacement: `${root}/packages/client/src/$1.ts` },
    { find: /^@tessera\/firewall$/, replacement: `${root}/packages/firewall/src/index.ts` },
    { find: /^@tessera\/firewall\/(.+)$/, replacement: `${root}/packages/firewall/src/$1.ts` },
    { find: /^@tessera\/x402\/(.+)$/, replacement: `${root}/packages/x402/src/$1.ts` },
    { find: /^@\//, replacement: `${root}/` },
  ],
};

/** What waits longest begins first, or one worker would be left waiting for it at the end. */
const SLOWEST = /(?:settlements\/crash|costs\/costs)\.test\.ts$/;

/** Last and one after the other, because a file with a world of its own between two of them ends what they share. */
const SHARES = /\bshareService\(\)/;

const placeOf = ({ moduleId }: TestSpecification): number => {
  if (SLOWEST.test(moduleId)) return 0;
  return SHARES.test(readFileSync(moduleId, "utf8")) ? 2 : 1;
};

class InPlace extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placed = (await super.sort(files)).map((file) => ({ file, place: placeOf(file) }));
    return placed.sort((a, b) => a.place - b.place).map(({ file }) => file);
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: InPlace },
    reporters: ["default", "./tests/support/progress.ts"],
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["{lib,components,dev,ops,app,packages}/**/*.test.ts"],
          pool: "threads",
          maxWorkers: 2,
          // Rules keep nothing between two calls, so that files can share modules: loading them takes longer than the tests.
          isolate: false,
          // Some start a process, on what may be two busy cores.
          testTimeout: 30_000 * PATIENCE,
          // Where nobody can start them once more by hand; the list names what passed only then.
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        resolve,
        test: {
          name: "world",
          include: ["tests/**/*.test.ts"],
          // `npm test` installs them, and says so where it cannot.
          exclude: [...configDefaults.exclude, ...(arePackagesInstalled("tests/interop") ? [] : ["tests/interop/**"])],
          globalSetup: "tests/support/global-setup.ts",
          setupFiles: "tests/support/fresh-file.ts",
          pool: "forks",
          isolate: false,
          // With two, a tenth to a quarter of two cores was idle.
          maxWorkers: 3,
          // Generous: three files, their servers and their chains share what may be two busy cores.
          testTimeout: 120_000 * PATIENCE,
          hookTimeout: 180_000 * PATIENCE,
        },
      },
    ],
  },
});
