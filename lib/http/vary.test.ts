import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { varyByLanguage } from "./vary";

/** Like Next, it sets the header late. */
const server = createServer((_, res) => {
  res.setHeader("Vary", "rsc");
  res.end();
});

beforeAll(async () => {
  varyByLanguage();
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.close();
  await once(server, "close");
});

test.each([
  ["/pay/lnk_1?lang=de", "rsc, Accept-Language, Cookie"],
  ["/receipt/stl_1", "rsc, Accept-Language, Cookie"],
  ["/embed/pay/lnk_1", "rsc, Accept-Language"],
  ["/docs?path=/pay/lnk_1", "rsc"],
])("the response for %s has the Vary header %s", async (path, vary) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  expect(response.headers.get("vary")).toBe(vary);
});
