import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { brief, buyer, newLink, openShop, PRICE, pay, stranger } from "../support/attack";
import { serverPort } from "../support/base-url";
import { BASE_URL, call } from "../support/http";
import type { Json } from "../support/mandates";
import { until } from "../support/replica";
import { claimFrom } from "../support/system";
import { submitDirectly } from "../support/token";
import { control } from "../support/wiring";

/** What an operator can see of a server: its metrics on a port of their own, and what it sends to a receiver of OpenTelemetry. */
const received: Record<string, string[]> = {};
const receiver = createServer(async (req, res) => {
  const bodies = received[req.url ?? ""] ?? [];
  received[req.url ?? ""] = [...bodies, await text(req)];
  res.writeHead(200, { "content-type": "application/json" }).end("{}");
});
const receiverPort = await serverPort();
await new Promise<void>((ready) => receiver.listen(receiverPort, ready));
afterAll(() => new Promise((done) => receiver.close(done)));

const metricsPort = await serverPort();
const shop = openShop({
  LOG_LEVEL: "warn",
  METRICS_PORT: String(metricsPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiverPort}`,
  OTEL_METRIC_EXPORT_INTERVAL: "1000",
  OTEL_BSP_SCHEDULE_DELAY: "500",
});

const METRICS = `http://127.0.0.1:${metricsPort}/metrics`;

/** The value of a series by its beginning, such as `name{label="x"`; the sum if there are several. */
async function seriesSum(name: string, labels: Record<string, string> = {}): Promise<number> {
  const response = await fetch(METRICS);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/plain")]);
  const isMeant = (line: string) =>
    (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) &&
    Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`));
  const lines = (await response.text()).split("\n").filter(isMeant);
  return lines.reduce(
    (sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))),
    lines.length > 0 ? 0 : Number.NaN,
  );
}

async function payOnce(): Promise<string> {
  const link = await newLink(shop);
  const claim = claimFrom(await buyer(shop), link.payTo, PRICE);
  expect(brief(await pay(link, claim))).toBe("200");
  return claim.signature;
}

test("/metrics counts requests by route and status, settlements and gas, and shows queues, nodes and the database", async () => {
  const route = { method: "GET", route: "/paymentlink/{linkId}", status: "200" };
  await payOnce();
  for (const path of ["/nothing-here", "/nothing-there", "/%zz"]) await call("GET", path);
  const requests = "tessera_http_request_seconds_count";
  expect(await seriesSum(requests, route)).toBe(1);
  expect(await seriesSum("tessera_http_request_seconds_sum", route)).toBeGreaterThan(0);
  expect(await seriesSum(requests, { route: "page", status: "404" })).toBe(2);
  expect(await seriesSum(requests, { status: "400" })).toBe(1);
  expect(await seriesSum("tessera_settlement_seconds_count", { network: "base", purpose: "link" })).toBe(1);
  await expect
    .poll(() => seriesSum("tessera_relayer_gas_total", { network: "base" }), { timeout: 20_000 })
    .toBeGreaterThan(40_000);
  expect(await seriesSum("tessera_relayer_fees_eth_total", { network: "base" })).toBeGreaterThan(0);
  // Read at most every four seconds, and first by the export over OTLP, perhaps before the chain's first block.
  await expect
    .poll(() => seriesSum("tessera_chain_head_block", { network: "base" }), { timeout: 20_000 })
    .toBeGreaterThan(0);
  await expect.poll(() => seriesSum("tessera_settlements_open", { network: "base" }), { timeout: 20_000 }).toBe(0);
  expect(await seriesSum("tessera_relayer_balance_eth", { network: "base" })).toBeGreaterThan(0.1);
  expect(await seriesSum("tessera_node_up", { network: "base" })).toBe(1);
  await expect.poll(() => seriesSum("tessera_webhook_oldest_event_seconds"), { timeout: 20_000 }).toBe(0);
  expect(await seriesSum("tessera_database_connections")).toBeGreaterThan(0);
  expect(await seriesSum("tessera_database_up")).toBe(1);
  expect(await seriesSum("tessera_log_events_total", { event: "relayer.paused" })).toBe(0);
});

test("/readyz on the metrics port shows the keys' balances and why they are paused, and the public /readyz does not", async () => {
  const report = async () => {
    const response = await fetch(METRICS.replace("/metrics", "/readyz"));
    return { status: response.status, body: (await response.json()) as Json };
  };
  await expect.poll(async () => (await report()).status, { timeout: 20_000 }).toBe(200);
  const { body } = await report();
  expect(body).toMatchObject({ status: "ok", database: true, pausedRelayers: [] });
  for (const { relayerGasWei } of body.chains) expect(BigInt(relayerGasWei[0])).toBeGreaterThan(10n ** 15n);
  const { text: shownText } = await call("GET", "/readyz");
  expect(shownText).not.toMatch(/relayerGasWei|pausedRelayers/);
});

test("/metrics is served only on its own port, which serves nothing else", async () => {
  expect((await fetch(`${BASE_URL}/metrics`)).status).toBe(404);
  expect((await fetch(METRICS.replace("/metrics", "/healthz"))).status).toBe(404);
  expect((await fetch(METRICS, { method: "POST" })).status).toBe(404);
});

test("a failing node and a failing job are counted", async () => {
  const seriesSumBefore = await seriesSum("tessera_log_events_total", { event: "worker.failed" });
  shop.world.node().faults.isRefusing = true;
  await expect.poll(() => seriesSum("tessera_node_up", { network: "base" }), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => seriesSum("tessera_chain_up", { network: "base" }), { timeout: 30_000 }).toBe(0);
  await expect
    .poll(() => seriesSum("tessera_log_events_total", { event: "worker.failed" }), { timeout: 30_000 })
    .toBeGreaterThan(seriesSumBefore);
  shop.world.node().heal();
  await expect.poll(() => seriesSum("tessera_chain_up", { network: "base" }), { timeout: 60_000 }).toBe(1);
  expect(await seriesSum("tessera_node_failures_total", { network: "base" })).toBeGreaterThan(0);
});

test("a settlement is counted while its authorization is used but no node shows the transfer", async () => {
  const link = await newLink(shop);
  const claim = claimFrom(await buyer(shop), link.payTo, PRICE);
  await control({ do: "jobs", isRunning: false });
  const pendingResponse = pay(link, claim);
  const claims = () => shop.sql`select 1 from settlements where nonce = ${claim.authorization.nonce}`;
  await until(async () => (await claims()).length > 0, "the claim");
  shop.world.node().faults.isHidingLogs = true;
  await submitDirectly(shop.world, claim);
  await control({ do: "jobs", isRunning: true });
  const notShown = () => seriesSum("tessera_settlements_use_not_shown", { network: "base" });
  await expect.poll(notShown, { timeout: 30_000 }).toBe(1);
  shop.world.node().heal();
  expect(brief(await pendingResponse)).toBe("200");
  await expect.poll(notShown, { timeout: 30_000 }).toBe(0);
});

test("traces of requests with their queries, and the same metrics, are sent over OTLP/HTTP without secrets", async () => {
  const signature = await payOnce();
  await call("GET", `/api/mandates?secret-in-query=${stranger().address}`, { bearer: shop.seller.agent.jwt });
  const spans = (): Json[] =>
    (received["/v1/traces"] ?? []).flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap((of: Json) => of.scopeSpans.flatMap((scope: Json) => scope.spans)),
    );
  const attribute = (span: Json, key: string) => span.attributes.find((each: Json) => each.key === key)?.value;
  const request = () => spans().find((span) => span.name === "GET /paymentlink/{linkId}");
  await expect.poll(request, { timeout: 20_000 }).toBeDefined();
  const queries = () =>
    spans().filter((span) => span.traceId === request().traceId && attribute(span, "db.query.text"));
  await expect.poll(() => queries().length, { timeout: 20_000 }).toBeGreaterThan(2);

  const metricNames = () =>
    (received["/v1/metrics"] ?? []).flatMap((body) =>
      JSON.parse(body).resourceMetrics.flatMap((of: Json) =>
        of.scopeMetrics.flatMap((scope: Json) => scope.metrics.map(({ name }: Json) => name)),
      ),
    );
  await expect.poll(metricNames, { timeout: 20_000 }).toContain("tessera_settlement_seconds");
  const sent = JSON.stringify(received);
  expect(sent).toContain("service.instance.id");
  for (const secret of [
    signature,
    shop.seller.agent.jwt,
    shop.seller.agent.token,
    "secret-in-query",
    process.env.MASTER_KEY ?? "?",
  ])
    expect(sent).not.toContain(secret);
});
