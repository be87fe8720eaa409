import { expect, test } from "vitest";
import { pageWork } from "./page-work";

test.each<[path: string, route: string | null]>([
  ["/", null],
  ["/docs", null],
  ["/docs/quickstart.md", null],
  ["/_next/data/x.json", null],
  ["/_next/image", null],
  ["/nothing", null],
  ["/l%6cms.txt", "/llms.txt"],
  ["/server.json", "/server.json"],
  ["/.well-known/skills/index.json", "/.well-known/skills/{...path}"],
  ["/.well-known/agent-skills/index.json", "/.well-known/agent-skills/{...path}"],
  ["/tessera-client.tgz", "/tessera-client.tgz"],
  ["/tessera.mcpb", "/tessera.mcpb"],
  ["/api/auth/session", "/api/auth/{...nextauth}"],
  ["/api/nothing", "/api/{...path}"],
  ["/pay/lnk_1", "/pay/{linkId}"],
])("a request for %s counts as a page view", (path, route) => {
  expect(pageWork({ path, route, wantsPage: true })).toBeGreaterThan(0);
});

test.each<[path: string, route: string | null]>([
  ["/healthz", "/healthz"],
  ["/api/mandates", "/api/mandates"],
  ["/icon.svg", null],
  ["/_next/static/x.js", null],
  ["/pay/lnk_1", "/pay/{linkId}"],
])("a request for %s by a client that wants no page does not count as a page view", (path, route) => {
  expect(pageWork({ path, route, wantsPage: false })).toBe(0);
});

test("no spelling of a path makes a page view cheaper", () => {
  const work = (path: string) => pageWork({ path, route: null, wantsPage: true });
  for (const path of ["/%64ashboard", "//dashboard", "/dashboard/", "http://localhost/dashboard", "/\\dashboard"])
    expect([path, work(path)]).toEqual([path, work("/dashboard")]);
});
