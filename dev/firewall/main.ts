import { run } from "./lines";

/** `npm run firewall`: runs the scanners over JSON lines, for use in pipelines. */
try {
  process.exitCode = await run(process.argv.slice(2), process);
} catch (thrown) {
  // The reader closed the pipe, as `head` does.
  if (!(thrown instanceof Error && "code" in thrown && thrown.code === "EPIPE")) throw thrown;
  process.exit(0);
}
