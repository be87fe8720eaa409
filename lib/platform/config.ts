import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { z } from "zod";
import type { NetworkName } from "@/lib/x402/networks";

const key32 = z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be 32 bytes of hex");
const duration = z.string().regex(/^[1-9]\d{0,6}[smhd]?$/, "must be seconds, or a number with s, m, h or d");

const environment = z.object({
  MODE: z.enum(["devnet", "production"]).default("devnet"),
  PORT: z.coerce.number().int().min(1).max(65535).default(3000),
  PUBLIC_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z.string().startsWith("postgres").optional(),
  /** Comma-separated: the first encrypts, all decrypt. */
  MASTER_KEY: z.string().optional(),
  NEXTAUTH_SECRET: z.string().min(16).optional(),
  BASE_RPC_URL: z.url().optional(),
  BASE_SEPOLIA_RPC_URL: z.url().optional(),
  RELAYER_KEYS: z.string().optional(),
  JWT_EXPIRES_IN: duration.default("15m"),
  CONFIRMATIONS: z.coerce.number().int().min(1).max(64).default(1),
  LEASE_SECONDS: z.coerce.number().int().min(1).max(300).default(10),
  STUCK_SECONDS: z.coerce.number().int().min(1).max(3600).default(20),
  POLL_MILLISECONDS: z.coerce.number().int().min(50).max(60_000).optional(),
  SETTLE_WAIT_SECONDS: z.coerce.number().min(0).max(55).default(25),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

export type Config = {
  mode: "devnet" | "production";
  port: number;
  /** Without a trailing slash. Every absolute URL we emit begins with it. */
  baseUrl: string;
  dataDir: string;
  databaseUrl: string;
  databasePool: number;
  masterKeys: [Buffer, ...Buffer[]];
  sessionSecret: string;
  rpcUrls: Record<NetworkName, string>;
  relayerKeys: [`0x${string}`, ...`0x${string}`[]];
  jwtTtlSeconds: number;
  confirmations: number;
  leaseSeconds: number;
  stuckSeconds: number;
  pollMilliseconds: number;
  settleWaitSeconds: number;
  logLevel: "silent" | "error" | "warn" | "info" | "debug";
};

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * The one place configuration is read. Devnet needs nothing: missing secrets are made once and kept in DATA_DIR.
 * Throws ConfigError naming every variable that is missing or wrong.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = environment.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  }
  const e = parsed.data;
  const filled = e.MODE === "devnet" ? { ...devnetDefaults(e), ...defined(e) } : e;
  const missing = REQUIRED.filter((name) => filled[name] === undefined);
  if (missing.length > 0) {
    throw new ConfigError(missing.map((name) => `${name}: required in production mode`).join("\n"));
  }
  const required = filled as typeof filled & Record<(typeof REQUIRED)[number], string>;
  return {
    mode: e.MODE,
    port: e.PORT,
    baseUrl: required.PUBLIC_BASE_URL.replace(/\/+$/, ""),
    dataDir: e.DATA_DIR,
    databaseUrl: required.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    masterKeys: keyList("MASTER_KEY", required.MASTER_KEY).map((hex) => Buffer.from(hex, "hex")) as [Buffer],
    sessionSecret: required.NEXTAUTH_SECRET,
    rpcUrls: { base: required.BASE_RPC_URL, "base-sepolia": required.BASE_SEPOLIA_RPC_URL },
    relayerKeys: keyList("RELAYER_KEYS", required.RELAYER_KEYS).map((hex) => `0x${hex}` as const) as [`0x${string}`],
    jwtTtlSeconds: seconds(e.JWT_EXPIRES_IN),
    confirmations: e.CONFIRMATIONS,
    leaseSeconds: e.LEASE_SECONDS,
    stuckSeconds: e.STUCK_SECONDS,
    pollMilliseconds: e.POLL_MILLISECONDS ?? (e.MODE === "devnet" ? 200 : 1000),
    settleWaitSeconds: e.SETTLE_WAIT_SECONDS,
    logLevel: e.LOG_LEVEL,
  };
}

const REQUIRED = [
  "PUBLIC_BASE_URL",
  "DATABASE_URL",
  "MASTER_KEY",
  "NEXTAUTH_SECRET",
  "BASE_RPC_URL",
  "BASE_SEPOLIA_RPC_URL",
  "RELAYER_KEYS",
] as const;

function devnetDefaults(e: { DATA_DIR: string; PORT: number }) {
  return {
    ...devnetSecrets(e.DATA_DIR),
    PUBLIC_BASE_URL: `http://localhost:${e.PORT}`,
    DATABASE_URL: "postgres://postgres:postgres@127.0.0.1:5433/tessera",
    BASE_RPC_URL: "http://127.0.0.1:8545",
    BASE_SEPOLIA_RPC_URL: "http://127.0.0.1:8546",
  };
}

const secrets = z.object({ MASTER_KEY: z.string(), NEXTAUTH_SECRET: z.string(), RELAYER_KEYS: z.string() });

function devnetSecrets(dataDir: string): z.output<typeof secrets> {
  const path = join(dataDir, "secrets.json");
  mkdirSync(dataDir, { recursive: true });
  const fresh = {
    MASTER_KEY: randomBytes(32).toString("hex"),
    NEXTAUTH_SECRET: randomBytes(32).toString("base64url"),
    RELAYER_KEYS: generatePrivateKey(),
  };
  try {
    // `wx` fails when the file is there, so two processes that start together agree on one set of secrets.
    writeFileSync(path, `${JSON.stringify(fresh, null, 2)}\n`, { flag: "wx", mode: 0o600 });
    return fresh;
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    return secrets.parse(JSON.parse(readFileSync(path, "utf8")));
  }
}

function keyList(name: string, text: string): string[] {
  return text.split(",").map((part) => {
    const key = key32.safeParse(part.trim());
    if (!key.success) throw new ConfigError(`${name}: each entry ${key.error.issues[0]?.message}`);
    return key.data.replace(/^0x/, "").toLowerCase();
  });
}

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function seconds(text: string): number {
  return Number.parseInt(text, 10) * (UNIT_SECONDS[text.at(-1) ?? ""] ?? 1);
}

const defined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
