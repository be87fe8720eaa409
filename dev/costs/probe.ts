import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { z } from "zod";

const measured = z.object({
  cpuMs: z.number(),
  blockMs: z.number(),
  memoryBytes: z.number(),
  rpc: z.number(),
  outbound: z.number(),
});
export type Measured = z.output<typeof measured>;

/** Environment of a server that `openProbe` can measure at `socket`. */
export const probed = (socket: string) => ({
  NODE_OPTIONS: `--require ${JSON.stringify(`${import.meta.dirname}/probe.cjs`)}`,
  COSTS_SOCKET: socket,
});

export type Probe = { start: () => Promise<void>; stop: () => Promise<Measured>; close: () => void };

/** What the server's process uses between `start` and `stop`. */
export function openProbe(path: string): Probe {
  const socket = createConnection(path);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const ask = async (word: string): Promise<unknown> => {
    socket.write(`${word}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("the server ended while it was measured");
    return JSON.parse(value);
  };
  return {
    start: async () => void (await ask("start")),
    stop: async () => measured.parse(await ask("stop")),
    close: () => socket.destroy(),
  };
}
