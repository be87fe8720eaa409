import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { z } from "zod";

const used = z.object({ cpuMs: z.number(), rpc: z.number(), outbound: z.number() });
const looped = z.object({ blockMs: z.number(), memoryBytes: z.number() });
export type Used = z.output<typeof used>;
export type Looped = z.output<typeof looped>;

/** Environment of a server that `openProbe` can measure at `socket`. */
export const probed = (socket: string) => ({
  NODE_OPTIONS: `--require ${JSON.stringify(`${import.meta.dirname}/probe.cjs`)}`,
  COSTS_SOCKET: socket,
});

export type Probe = {
  /** The CPU time of the server's process during `work`. */
  cpuOf: (work: () => Promise<unknown>) => Promise<Used>;
  /** How long the event loop is blocked during `work`, and the memory used. */
  loopOf: (work: () => Promise<unknown>) => Promise<Looped>;
  close: () => void;
};

export function openProbe(path: string): Probe {
  const socket = createConnection(path);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const ask = async (word: string): Promise<unknown> => {
    socket.write(`${word}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("the server ended while it was measured");
    return JSON.parse(value);
  };
  const during = async (word: string, work: () => Promise<unknown>): Promise<unknown> => {
    await ask(word);
    await work();
    return ask("stop");
  };
  return {
    cpuOf: async (work) => used.parse(await during("cpu", work)),
    loopOf: async (work) => looped.parse(await during("loop", work)),
    close: () => socket.destroy(),
  };
}
