import { resolve4 } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { privateKeyToAddress } from "viem/accounts";
import { CHECKS } from "@/lib/checks";
import { toAddress } from "@/lib/core/address";
import { isPublicAddress } from "@/lib/core/ip";
import { type Check, type CheckReport, fail, ok, runChecks, warn } from "@/lib/platform/checks";
import { ConfigError } from "@/lib/platform/config";
import { closeSystem, system } from "@/lib/wiring";
import { NETWORK_NAMES, type NetworkName } from "@/lib/x402/networks";
import { signatureFault } from "./server/native.mjs";
import { NODE_VERSIONS, nodeFault } from "./server/node-version.mjs";
import { workerCount } from "./server/worker-count.mjs";

/** `npm run doctor`: the startup checks, and checks whose result a person must judge. Changes nothing. Exits with 1 if a check fails. */
const CLOCK_SECONDS_MAX = 5;
const HOSTS_MAX = 5;
const CONNECT_MS_MAX = 5_000;
const HTTPS_PORT = 443;

const clockCheck: Check = {
  name: "clock of the database",
  variable: null,
  run: async ({ db }) => {
    const sentAt = Date.now();
    const { rows } = await db.$client.query<{ ms: string }>(
      "select extract(epoch from clock_timestamp()) * 1000 as ms",
    );
    const between = (sentAt + Date.now()) / 2;
    const seconds = Math.round(Math.abs(Number(rows[0]?.ms) - between) / 100) / 10;
    const detail = `this machine and the database differ by ${seconds} s`;
    return seconds <= CLOCK_SECONDS_MAX
      ? ok(detail)
      : fail(detail, "Synchronise both by NTP: proofs and sessions expire by the clock");
  },
};

/** The same check at startup ends the process without a report. */
const nodeCheck: Check = {
  name: "version of Node",
  variable: null,
  run: async () => {
    const fault = nodeFault(process.version);
    return fault === null ? ok(process.version) : fail(fault, `Install a release in ${NODE_VERSIONS}`);
  },
};

const signatureCheck: Check = {
  name: "compiled code for signatures",
  variable: null,
  run: async () => {
    const fault = signatureFault();
    return fault === null ? ok("it is there") : fail(fault, "Without it the service does not start");
  },
};

/** As in /readyz: a key with less gas does not send; one funded key is enough. */
const GAS_LOW_WEI = 10n ** 15n;

const gasCheck = (network: NetworkName): Check => ({
  name: `gas on ${network}`,
  variable: "RELAYER_KEYS",
  run: async ({ chains, config }) => {
    const relayers = config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key)));
    const wei = await Promise.all(relayers.map((relayer) => chains[network].nativeBalance(relayer)));
    const empty = relayers.filter((_, index) => (wei[index] ?? 0n) < GAS_LOW_WEI);
    const detail = `${relayers.length - empty.length} of ${relayers.length} relayers have 0.001 ETH`;
    if (empty.length === 0) return ok(detail);
    const remedy = `Send ETH to ${empty.join(", ")}`;
    return empty.length < relayers.length ? warn(detail, remedy) : fail(detail, remedy);
  },
});

const outboundCheck: Check = {
  name: "outbound access for webhooks",
  variable: null,
  run: async ({ db }) => {
    const { rows } = await db.$client.query<{ url: string }>(
      "select distinct url from webhooks where is_enabled limit 100",
    );
    const urls = [...new Map(rows.map(({ url }) => [new URL(url).host, new URL(url)])).values()].slice(0, HOSTS_MAX);
    if (urls.length === 0) return ok("not tested: no webhook is registered");
    const reached = await Promise.all(urls.map(isReached));
    const detail = `${reached.filter(Boolean).length} of ${urls.length} receivers' hosts accept a connection`;
    if (reached.every(Boolean)) return ok(detail);
    const remedy = "Allow this host to resolve names and to connect to port 443 of public addresses";
    return reached.some(Boolean) ? warn(detail, remedy) : fail(detail, remedy);
  },
};

/** Connects without sending anything, so that the receiver does not take it for an event. */
async function isReached({ hostname, port }: URL): Promise<boolean> {
  const signal = AbortSignal.timeout(CONNECT_MS_MAX);
  try {
    const address = (await resolve4(hostname)).find(isPublicAddress);
    if (address === undefined) return false;
    const socket = connect({ host: address, port: Number(port) || HTTPS_PORT, signal });
    await once(socket, "connect", { signal });
    socket.destroy();
    return true;
  } catch {
    return false;
  }
}

function show(reports: readonly CheckReport[]): void {
  const cells = reports.map(({ status, name, variable, detail }) => [status, name, variable ?? "", detail]);
  const widths = [0, 1, 2].map((index) => Math.max(...cells.map((row) => (row[index] ?? "").length)));
  for (const [index, row] of cells.entries()) {
    console.log(
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    );
    const remedy = reports[index]?.remedy;
    if (remedy) console.log(`${" ".repeat((widths[0] ?? 0) + 2)}→ ${remedy}`);
  }
}

/** At startup, an unreachable service is only a warning, because it may recover. The doctor reports a failure. */
const strict = (check: Check): Check => ({
  ...check,
  run: (app) =>
    check.run(app).catch((error: unknown) => {
      const message = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
      return fail(`no response: ${message || "connection refused"}`, "Make sure that it runs and is reachable");
    }),
});

// `npm start` sets it for each process that it starts.
process.env.WEB_CONCURRENCY ||= String(workerCount(process.env) ?? 1);

try {
  const app = system();
  const configured: CheckReport = {
    name: "configuration",
    variable: null,
    ...ok(`complete, mode ${app.config.mode}`),
  };
  const checks = [nodeCheck, signatureCheck, ...CHECKS, ...NETWORK_NAMES.map(gasCheck), clockCheck, outboundCheck];
  const reports = [configured, ...(await runChecks(app, checks.map(strict)))];
  show(reports);
  process.exitCode = reports.every(({ status }) => status !== "fail") ? 0 : 1;
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  show(
    error.message
      .split("\n")
      .map((line) => ({ name: "configuration", variable: null, ...fail(line, "See .env.example") })),
  );
  process.exitCode = 1;
} finally {
  await closeSystem();
}
