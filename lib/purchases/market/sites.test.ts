import { afterAll, expect, test, vi } from "vitest";
import type { Agent, Ctx } from "@/lib/platform/context";

const { request } = vi.hoisted(() => ({ request: vi.fn() }));
vi.mock("@/lib/http/limit", () => ({ limit: async () => {} }));
vi.mock("../fetch", () => ({ request, pathTo: () => ({}) }));
vi.mock("@/lib/platform/outbound-guard", () => ({ sendFor: () => {}, isOwnUrl: () => false }));

// Files share their modules: an earlier one may have loaded the real ones, and a later one needs them.
vi.resetModules();
afterAll(() => {
  vi.useRealTimers();
  vi.resetModules();
});
const { readSite } = await import("./sites");

const ctx = { actor: { type: "agent", agentId: "agt_1", ownerId: null } } as unknown as Ctx<Agent>;
const site = new URL("https://shop.example/");

test("what a site says is kept for a minute, and then let go", async () => {
  vi.useFakeTimers();
  request.mockImplementation(async (_ctx, _path, { url }) => ({
    status: url.pathname === "/llms.txt" ? 200 : 404,
    headers: { "content-type": "text/plain" },
    bytes: Buffer.from("# Shop"),
    end: "whole",
    url,
  }));
  const offers = await readSite(ctx, site, {});
  vi.advanceTimersByTime(59_000);
  expect(await readSite(ctx, site, {})).toBe(offers);
  expect(request).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(1_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(await readSite(ctx, site, {})).toEqual(offers);
  expect(request).toHaveBeenCalledTimes(6);
});
