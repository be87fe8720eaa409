import { expect, test } from "vitest";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { config } from "@/proxy";

/** A checkout is also a page, at an address that is rewritten to this one. */
const ALSO_PAGES = ["/paymentlink/{linkId}"];

test("no endpoint is behind proxy.ts, which only pages need", () => {
  const pages = config.matcher.map((pattern) => new RegExp(`^${pattern}$`));
  const behind = ENDPOINTS.map(({ endpoint }) => endpoint.path).filter((path) =>
    pages.some((page) => page.test(path.replace(/\{\w+\}/g, "x"))),
  );
  expect(behind).toEqual(ALSO_PAGES);
});
