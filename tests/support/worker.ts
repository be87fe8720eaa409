import { startWorker } from "@/lib/platform/worker";
import { settlementJobs } from "@/lib/settlements/jobs";
import { openSystem } from "./system";

/** A replica's background jobs in a process of their own, to be killed. Configured by its environment. */
const { system } = openSystem();
for (const job of settlementJobs(system, async () => {})) startWorker(system, job, `replica:${process.pid}`);
console.log("ready");
