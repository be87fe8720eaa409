import { statSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule, TestSpecification } from "vitest/node";

const SHOWN = 12;
const EVERY_MS = 20_000;

/**
 * Prints how many files are done and about how long the others take, and the slowest files at the end of a run. Large files run first
 * and take longer, so that the rest is estimated by bytes. Lists the failed files in the file FAILED_FILES.
 */
export default class Progress implements Reporter {
  private began = 0;
  private saidAt = 0;
  private files = 0;
  private done = 0;
  private bytesLeft = 0;
  private bytesDone = 0;

  onTestRunStart(files: ReadonlyArray<TestSpecification>): void {
    const bytesLeft = files.reduce((sum, { moduleId }) => sum + statSync(moduleId).size, 0);
    Object.assign(this, {
      began: Date.now(),
      saidAt: Date.now(),
      files: files.length,
      done: 0,
      bytesLeft,
      bytesDone: 0,
    });
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    const { size } = statSync(moduleId);
    this.done += 1;
    this.bytesDone += size;
    this.bytesLeft -= size;
    const now = Date.now();
    if (now - this.saidAt < EVERY_MS) return;
    this.saidAt = now;
    const remaining = ((now - this.began) / this.bytesDone) * this.bytesLeft;
    console.log(`── ${this.done} of ${this.files} files, about ${Math.ceil(remaining / 60_000)} min left`);
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>): void {
    const { FAILED_FILES } = process.env;
    // An error outside of all tests is no file's own.
    if (FAILED_FILES && errors.length === 0) writeFileSync(FAILED_FILES, failedFiles(modules).join("\n"));
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

const failedFiles = (modules: ReadonlyArray<TestModule>) =>
  modules.filter((module) => !module.ok()).map(({ moduleId }) => relative(process.cwd(), moduleId));

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(6)} s`;
