import { randomInt } from "node:crypto";
import { freePort } from "@/dev/local/ports";

/** Calls route handlers in this process: faster for a single file, but not the shipped build. */
export const IS_IN_PROCESS = process.env.IN_PROCESS === "1";

// Below the ephemeral range: otherwise an outgoing connection could take the port before the server listens.
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** A free port outside the ephemeral range. */
export async function serverPort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(LOWEST, HIGHEST);
    if ((await freePort(wanted)) === wanted) return wanted;
  }
}

/** The address of this file's server, which starts at the first call. */
export const PORT = await serverPort();

/** The service's origin, PUBLIC_BASE_URL. */
export const BASE_URL = `http://localhost:${PORT}`;
