import { vi } from "vitest";

/**
 * Restores what a test file may have changed in its process. The files of a worker share one process and its modules, because
 * loading them takes longer than many files' tests. What a module itself remembers belongs to a database or a chain, and each
 * file has its own.
 */
const shared = globalThis as typeof globalThis & { firstEnvironment?: NodeJS.ProcessEnv };
shared.firstEnvironment ??= { ...process.env };

for (const name of Object.keys(process.env)) if (!(name in shared.firstEnvironment)) delete process.env[name];
Object.assign(process.env, shared.firstEnvironment);
vi.useRealTimers();
vi.unstubAllGlobals();
