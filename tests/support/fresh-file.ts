import { vi } from "vitest";
import { setClock } from "@/lib/platform/clock";
import { disarm, type Failpoint, failpointHits } from "@/lib/platform/failpoint";
import { forgetJobs } from "./wiring";

/**
 * Restores what a test file may have changed in its process. The files of a worker share one process and its modules, because
 * loading them takes longer than many files' tests. What else a module remembers belongs to a database or a chain, and each
 * file has its own.
 */
const shared = globalThis as typeof globalThis & { firstEnvironment?: NodeJS.ProcessEnv };
shared.firstEnvironment ??= { ...process.env };

for (const name of Object.keys(process.env)) if (!(name in shared.firstEnvironment)) delete process.env[name];
Object.assign(process.env, shared.firstEnvironment);
for (const name of Object.keys(failpointHits())) disarm(name as Failpoint);
setClock({ type: "ahead", byMs: 0 });
forgetJobs();
vi.useRealTimers();
vi.unstubAllGlobals();
