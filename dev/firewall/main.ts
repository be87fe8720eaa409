import { run } from "./lines";

/** `npm run firewall`: runs the scanners over JSON lines, for use in pipelines. */
try {
  process.exitCode = await run(process.argv.slice(2), process);
} catch (error) {
  // The reader closed the pipe, as `head` does.
  if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  process.exit(0);
}
