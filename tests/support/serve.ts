import { BASE_URL } from "./base-url";
import { closeSystem, server } from "./wiring";

export type Served = { url: string; stop: () => Promise<void> };

/**
 * Starts this file's server, for clients with their own HTTP. Its address is PUBLIC_BASE_URL, as for `call`.
 */
export async function serve(): Promise<Served> {
  await server();
  return { url: BASE_URL, stop: closeSystem };
}
