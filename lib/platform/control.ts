import { rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { z } from "zod";
import { setClock } from "./clock";
import { arm, disarm, FAILPOINT_NAMES, failpointHits } from "./failpoint";
import type { Log } from "./log";

/**
 * Commands that a test sends to a production build, one JSON object per line over a Unix socket. The socket exists only
 * if CONTROL_SOCKET is set and MODE is devnet (config.ts).
 */
const commandSchema = z.union([
  z.strictObject({ id: z.int(), do: z.literal("clock"), aheadMs: z.number() }),
  z.strictObject({ id: z.int(), do: z.literal("clock"), atMs: z.number() }),
  z.strictObject({ id: z.int(), do: z.literal("arm"), failpoint: z.enum(FAILPOINT_NAMES), action: z.string() }),
  z.strictObject({ id: z.int(), do: z.literal("disarm"), failpoint: z.enum(FAILPOINT_NAMES) }),
  z.strictObject({ id: z.int(), do: z.literal("jobs"), isRunning: z.boolean() }),
  z.strictObject({ id: z.int(), do: z.literal("figures") }),
]);

type Command = z.output<typeof commandSchema>;
/** A command without its `id`, which matches responses to requests. */
export type ControlRequest = Command extends infer Each ? (Each extends Command ? Omit<Each, "id"> : never) : never;
export type ControlAnswer = { id: number | null; error?: string; figures?: ProcessFigures };
export type ProcessFigures = { heapBytes: number; openSockets: number; failpointHits: Record<string, number> };

export type Jobs = { start: () => void; stop: () => Promise<void> };
export type Control = { close: () => Promise<void> };

/** Listens at `path`. Removes a file there first: the socket of a killed process. */
export async function openControl(path: string, jobs: Jobs, log: Log): Promise<Control> {
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // A test that ends closes its connection abruptly.
    socket.on("error", () => socket.destroy());
    for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
      socket.write(`${JSON.stringify(await answerTo(line, jobs))}\n`);
    }
    socket.end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  log.warn({ path }, "control.open");
  return {
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Never throws: errors are part of the response. */
async function answerTo(line: string, jobs: Jobs): Promise<ControlAnswer> {
  let id: number | null = null;
  try {
    const command = commandSchema.parse(JSON.parse(line));
    id = command.id;
    return { id, ...(await perform(command, jobs)) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Carries out a command in this process. */
export async function perform(command: ControlRequest, jobs: Jobs): Promise<{ figures?: ProcessFigures }> {
  switch (command.do) {
    case "clock":
      setClock("atMs" in command ? { type: "stopped", atMs: command.atMs } : { type: "ahead", byMs: command.aheadMs });
      return {};
    case "arm":
      arm(command.failpoint, command.action);
      return {};
    case "disarm":
      disarm(command.failpoint);
      return {};
    case "jobs":
      if (command.isRunning) jobs.start();
      else await jobs.stop();
      return {};
    case "figures":
      return {
        figures: {
          heapBytes: process.memoryUsage().heapUsed,
          openSockets: process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length,
          failpointHits: failpointHits(),
        },
      };
  }
}
