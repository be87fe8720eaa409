import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { ControlAnswer, ControlRequest } from "@/lib/platform/control";

/** Sends a request to a server's control socket (lib/platform/control.ts). Throws if the response is an error. */
export async function controlRequest(path: string, request: ControlRequest): Promise<ControlAnswer> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    socket.write(`${JSON.stringify({ id: 1, ...request })}\n`);
    for await (const line of createInterface({ input: socket })) {
      const response: ControlAnswer = JSON.parse(line);
      if (response.error !== undefined) throw new Error(`control: ${response.error}`);
      return response;
    }
    throw new Error("the server closed its control socket without an answer");
  } finally {
    socket.destroy();
  }
}
