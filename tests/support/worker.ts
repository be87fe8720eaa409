import { startWorker } from "@/lib/platform/worker";
import { settlementJobs } from "@/lib/settlements/jobs";
import { webhookJob } from "@/lib/webhooks/jobs";
import { openSystem } from "./system";

/** A replica's background jobs in a process of their own, to be killed. Configured by its environment. */
const { system } = openSystem();
for (const job of [...settlementJobs(system, async () => {}), webhookJob(system)])
  startWorker(system, job, `replica:${process.pid}`);
console.log("ready");
