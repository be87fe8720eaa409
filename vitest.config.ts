import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const resolve = { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } };

export default defineConfig({
  test: {
    projects: [
      { resolve, test: { name: "unit", include: ["{lib,components}/**/*.test.ts"] } },
      {
        resolve,
        test: {
          name: "world",
          include: ["tests/{api,flows,interop}/**/*.test.ts"],
          globalSetup: "tests/support/global-setup.ts",
          pool: "forks",
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
