import { randomInt } from "node:crypto";
import { freePort } from "@/dev/local/ports";

/** Calls route handlers in this process: faster for a single file at hand, but it is not what ships. */
export const IS_IN_PROCESS = process.env.IN_PROCESS === "1";

// Below the ports that the kernel hands out, or an outgoing connection could take one before its server listens.
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** A port that nothing listens on, and that nothing but a server will be given. */
export async function serverPort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(LOWEST, HIGHEST);
    if ((await freePort(wanted)) === wanted) return wanted;
  }
}

/** Where this file's server listens, from its first call on. */
export const PORT = await serverPort();

/** The service's own origin, which is PUBLIC_BASE_URL. */
export const BASE_URL = `http://localhost:${PORT}`;
