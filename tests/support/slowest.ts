import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 12;

/** Prints the slowest test files at the end of a run. */
export default class Slowest implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const timed = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { file: relative(process.cwd(), module.moduleId), ms: collectDuration + duration };
    });
    if (timed.length < 2) return;
    const all = timed.reduce((sum, { ms }) => sum + ms, 0);
    console.log(`\n The slowest of ${timed.length} files, which took ${seconds(all)} one after the other:`);
    for (const { file, ms } of timed.sort((a, b) => b.ms - a.ms).slice(0, SHOWN))
      console.log(`  ${seconds(ms)}  ${file}`);
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;
