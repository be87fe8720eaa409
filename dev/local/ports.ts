import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** The preferred port if it is free, otherwise any free one. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(preferred, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  } catch (cause) {
    if (preferred === 0) throw cause;
    return freePort();
  } finally {
    server.close();
  }
}
