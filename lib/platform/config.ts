import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import secp256k1 from "secp256k1";
import { formatGwei, keccak256, parseGwei, stringToBytes } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { type Address, isAddressText, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import type { AddressRange } from "@/lib/core/ip";
import { readRange } from "@/lib/core/ip";
import { DEFAULT_LIMITS, LIMIT_NAMES, type Limit, type LimitName } from "@/lib/core/limits";
import { parseUsdc, toUsdc } from "@/lib/core/money";
import type { ScanPrices } from "@/lib/core/scans";
import { SCAN_KINDS } from "@/lib/core/scans";
import { mapNetworks, NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { TIP } from "./chain";
import { PUSH_VARIABLES, type PushConfig, pairFault, pushOf } from "./config-push";
import { SCREENING_VARIABLES, type ScreeningConfig, screeningOf } from "./config-screening";
import { isServerList } from "./db-hosts";

/** The defaults of a devnet. Its secrets are generated at the first start. */
function devnetDefaults(env: Record<string, string | undefined>): Record<string, string> {
  const generated = devnetSecrets(env.DATA_DIR ?? ".data");
  return {
    ...generated,
    // An address without a stored private key; deterministic, so that it is the same at every start.
    TREASURY_ADDRESS: privateKeyToAddress(keccak256(stringToBytes(`treasury ${generated.MASTER_KEY}`))),
    PUBLIC_BASE_URL: `http://localhost:${env.PORT ?? 3000}`,
    DATABASE_URL: "postgres://postgres:postgres@127.0.0.1:5433/tessera",
    BASE_RPC_URL: "http://127.0.0.1:8545",
    BASE_SEPOLIA_RPC_URL: "http://127.0.0.1:8546",
  };
}

const secrets = z.object({ MASTER_KEY: z.string(), NEXTAUTH_SECRET: z.string(), RELAYER_KEYS: z.string() });

function devnetSecrets(dataDir: string): z.output<typeof secrets> {
  const path = join(dataDir, "secrets.json");
  const draft = `${path}.${process.pid}`;
  const fresh = {
    MASTER_KEY: randomBytes(32).toString("hex"),
    NEXTAUTH_SECRET: randomBytes(32).toString("base64url"),
    RELAYER_KEYS: generatePrivateKey(),
  };
  try {
    return secrets.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    if (!hasCode(cause, "ENOENT")) throw cause;
  }
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(draft, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 });
  try {
    // A link appears atomically, so processes that start at the same time use the same secrets.
    linkSync(draft, path);
  } catch (cause) {
    if (!hasCode(cause, "EEXIST")) throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
  return secrets.parse(JSON.parse(readFileSync(path, "utf8")));
}

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;

/**
 * The tip is a hundred times the usual one on Base. The fee is only an upper bound: the chain charges its base fee.
 * Why: docs/decisions.md, 387.
 */
const FEE_CAP = "20/0.1";

/** Upper bounds of a transaction's fees, in wei per unit of gas: in all, and the priority fee within it. */
type FeeCap = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

const feeCap = z
  .string()
  .regex(/^\d{1,5}(\.\d{1,9})?\/\d{1,5}(\.\d{1,9})?$/, "must be fee/tip in gwei, for example 20/0.1")
  .transform((text): FeeCap => {
    const [fee = "", tip = ""] = text.split("/");
    return { maxFeePerGas: parseGwei(fee), maxPriorityFeePerGas: parseGwei(tip) };
  })
  .refine(
    (cap) => cap.maxFeePerGas >= TIP && cap.maxPriorityFeePerGas >= TIP && cap.maxPriorityFeePerGas <= cap.maxFeePerGas,
    `the tip must be at least ${formatGwei(TIP)} gwei and at most the fee`,
  );

/** Upper bounds of the relayer's gas fees, also after raises: fee/tip in gwei. */
const FEE_VARIABLES = {
  BASE_FEE_CAP: feeCap.prefault(FEE_CAP),
  BASE_SEPOLIA_FEE_CAP: feeCap.prefault(FEE_CAP),
};

const limitText = /^(\w+)=([1-9]\d{0,6})\/([1-9]\d{0,4}[smhd]?)$/;

const WINDOW_SECONDS_MAX = 86_400;

const limitList = z.string().transform((text, issue) => {
  const limits: Record<LimitName, Limit> = { ...DEFAULT_LIMITS };
  for (const part of text.split(",").map((entry) => entry.trim())) {
    const [, nameText, requests = "", time = ""] = limitText.exec(part) ?? [];
    const name = LIMIT_NAMES.find((candidate) => candidate === nameText);
    if (name && seconds(time) <= WINDOW_SECONDS_MAX)
      limits[name] = { requests: Number(requests), seconds: seconds(time) };
    else
      issue.addIssue(
        `must be a list of name=requests/time, for example ${LIMIT_NAMES[0]}=30/1m, within a day. The names: ${LIMIT_NAMES.join(", ")}`,
      );
  }
  return limits;
});

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Converts "15m" to seconds. */
function seconds(text: string): number {
  return Number.parseInt(text, 10) * (UNIT_SECONDS[text.at(-1) ?? ""] ?? 1);
}

const HALF = toUsdc(500_000n);
/** Of Coinbase Smart Wallet, versions 1.1 and 1: the same on every network. */
const DEFAULT_WALLET_FACTORIES =
  "0xba5ed110efdba3d005bfc882d75358acbbb85842,0x0ba5ed0c6aa8c49038f819e587e2633c4a9f428a";

const DEFAULT_PRICES: ScanPrices = { scan: HALF, "x402-scan": HALF, "prompt-scan": HALF };
const PRICE_MAX = toUsdc(1_000_000_000n);

/** Parses FIREWALL_PRICES. */
const priceList = z.string().transform((text, issue) => {
  const prices: ScanPrices = { ...DEFAULT_PRICES };
  for (const part of text.split(",").map((entry) => entry.trim())) {
    const [, kindText, priceText = ""] = /^([a-z0-9-]+)=(\d{1,4}\.\d{2}|off)$/.exec(part) ?? [];
    const kind = SCAN_KINDS.find((candidate) => candidate === kindText);
    const price = parseUsdc(priceText);
    if (kind && (priceText === "off" || (price !== null && price <= PRICE_MAX))) prices[kind] = price;
    else
      issue.addIssue(
        `must be a list of name=price, for example ${SCAN_KINDS[0]}=0.50, in USDC with two decimals up to 1000.00, or "off". The names: ${SCAN_KINDS.join(", ")}`,
      );
  }
  return prices;
});

/** Addresses that requests to strangers' URLs must not reach, in addition to private ones. */
const OUTBOUND_VARIABLES = {
  OWN_ADDRESSES: z
    .string()
    .transform((text) => text.split(",").map((part) => readRange(part.trim())))
    .refine(
      (ranges): ranges is AddressRange[] => ranges.every((range) => range !== null),
      "must be IP addresses or networks such as 203.0.113.0/24, comma-separated",
    )
    .optional(),
};

const keyList = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().replace(/^0x/, "").toLowerCase()))
  .pipe(z.tuple([z.string()], z.string()).check(eachKey((hex) => /^[0-9a-f]{64}$/.test(hex), "32 bytes of hex")));

const signerList = keyList.check(
  eachKey((hex) => hex.length !== 64 || secp256k1.privateKeyVerify(Buffer.from(hex, "hex")), "a valid private key"),
);

const nodeUrl = z.url({ protocol: /^https?$/, error: "must be http or https URLs, comma-separated" });

const origin = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((text) => new URL(text).origin === text.replace(/\/+$/, "").toLowerCase(), {
    error: "must be an origin: scheme, host and port, nothing else",
  });

const urlList = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.tuple([nodeUrl], nodeUrl));

function eachKey(isGood: (hex: string) => boolean, description: string) {
  return z.refine<string[]>((list) => list.every(isGood), `each entry must be ${description}`);
}

const tcpPort = z.coerce.number().int().min(1).max(65535);
const databaseUrl = z
  .string()
  .startsWith("postgres")
  .refine(isServerList, "must be postgres://user:password@host:port/name; several hosts are separated by commas");

const duration = z.string().regex(/^[1-9]\d{0,6}[smhd]?$/, "must be seconds, or a number with s, m, h or d");

const LOST = new Set<Address>([ZERO_ADDRESS, ...NETWORK_NAMES.map((name) => NETWORKS[name].usdc)]);

const atomic = z
  .string()
  .regex(/^[1-9]\d{0,12}$/, "must be atomic units of USDC, at least 1")
  .transform((text) => BigInt(text));

const SENDER = /^(?:[^<>\r\n]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** The mail server, and the sender. Both or neither. */
const MAIL_VARIABLES = {
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be smtp:// or smtps://, with a host" }).optional(),
  MAIL_FROM: z.string().regex(SENDER, "must be an address, or a name and <address>").optional(),
};

/** The placeholders of ONRAMP_URL. */
const PLACEHOLDERS = ["address", "amount", "network"] as const;

const onramp = z
  .url({ protocol: /^https$/, error: "must be an https URL" })
  .refine(
    (text) => !/[{}]/.test(PLACEHOLDERS.reduce((remainder, name) => remainder.replaceAll(`{${name}}`, ""), text)),
    `may contain only these placeholders: ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}`,
  );

const MAIL = /^[^\s<>@:/?#]+@[^\s<>@:/?#]+$/;

/** An e-mail address or an https URL, as a URI. */
const contact = z
  .string()
  .max(200)
  .refine((text) => MAIL.test(text) || /^https:\/\/[^\s<>]+$/.test(text), "must be an e-mail address or an https URL")
  .transform((text) => (MAIL.test(text) ? `mailto:${text}` : text));

const CATALOGUES_MAX = 4;

/** Lists of services that others keep: facilitators with the discovery API of x402, without its path. */
const CATALOGUE_VARIABLES = {
  CATALOGUES: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim().replace(/\/+$/, "")))
    .pipe(
      z
        .array(z.url({ protocol: /^https?$/, error: "must be http or https URLs, comma-separated" }))
        .max(CATALOGUES_MAX, `must have at most ${CATALOGUES_MAX} URLs`),
    )
    .refine((urls) => new Set(urls).size === urls.length, "must name each catalogue once")
    .optional(),
};

/** The operator's settings for pages. All are optional. */
const SITE_VARIABLES = {
  /** Where buyers can buy USDC on Base. */
  ONRAMP_URL: onramp.optional(),
  /** Who runs the service, on /terms and /privacy. */
  OPERATOR_NAME: z
    .string()
    .max(100)
    .refine((text) => !/\p{Cc}/u.test(text), "must be one line")
    .optional(),
  OPERATOR_CONTACT: contact.optional(),
  /** For reports of vulnerabilities. */
  SECURITY_CONTACT: contact.optional(),
  /** A passkey wallet, which needs no browser extension. app/layout.tsx and ops/server read it too. */
  PASSKEY_WALLET: z.enum(["coinbase"], "must be coinbase, or empty").optional(),
};

const environment = z.object({
  MODE: z.enum(["devnet", "production"]).default("devnet"),
  PORT: tcpPort.default(3000),
  /** The port of /metrics, which is not served if this is unset. */
  METRICS_PORT: tcpPort.optional(),
  /** The OpenTelemetry SDK reads this itself, with its other OTEL_ variables. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Read by ops/server, which sets it for each process. */
  WEB_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(1),
  PUBLIC_BASE_URL: origin.optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  /** May name several servers: db-hosts.ts. */
  DATABASE_URL: databaseUrl.optional(),
  /** The same database without the pooler in transaction mode: for LISTEN and migrations. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** A standby, for lists that may be some seconds old. */
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  /** Comma-separated. The first key encrypts; all of them decrypt. */
  MASTER_KEY: keyList.optional(),
  NEXTAUTH_SECRET: z.string().min(16).optional(),
  /** Comma-separated, tried in this order. */
  BASE_RPC_URL: urlList.optional(),
  BASE_SEPOLIA_RPC_URL: urlList.optional(),
  RELAYER_KEYS: signerList.optional(),
  ...FEE_VARIABLES,
  JWT_EXPIRES_IN: duration.default("15m"),
  CONFIRMATIONS: z.coerce.number().int().min(1).max(64).default(1),
  LEASE_SECONDS: z.coerce.number().int().min(1).max(300).default(10),
  STUCK_SECONDS: z.coerce.number().int().min(1).max(3600).default(20),
  POLL_MILLISECONDS: z.coerce.number().int().min(50).max(60_000).optional(),
  SETTLE_WAIT_SECONDS: z.coerce.number().min(0).max(55).default(25),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(20),
  /** Retention of activity and link visits, in days. Finite by default, because strangers can cause many of them. */
  HISTORY_DAYS: z.literal("forever").or(z.coerce.number().int().min(90).max(36_500)).default(400),
  /** Origins to which a payment link may redirect payers. */
  REDIRECT_ORIGINS: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(origin.transform((text) => new URL(text).origin)))
    .optional(),
  /** The firewall's id: its path segment, and the payTo of payments in service credits. */
  FIREWALL_ID: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "must be lower-case letters, digits and inner hyphens")
    .default("sentinel"),
  FIREWALL_PRICES: priceList.default(DEFAULT_PRICES),
  /** Atomic USDC. Smaller payments are refused; the second minimum is for payers whose account has code. */
  MIN_PAYMENT: atomic.default(1n),
  MIN_CONTRACT_PAYMENT: atomic.default(10_000n),
  /** Gas per hour that the relayer spends on one payer whose transfers fail or, with code, use much gas. */
  PAYER_GAS_PER_HOUR: z.coerce.number().int().min(400_000).max(1_000_000_000).default(1_000_000),
  /** Factories that the relayer calls to deploy the wallet of a payer (ERC-6492). By default those of Coinbase Smart Wallet; `off`: none. */
  WALLET_FACTORIES: z
    .string()
    .default(DEFAULT_WALLET_FACTORIES)
    .transform((text) => (text === "off" ? [] : text.split(",").map((part) => part.trim())))
    .pipe(z.array(z.string().refine(isAddressText, "must be 20-byte 0x addresses").transform(toAddress))),
  /** Gas per hour for deployments by one factory. Bounds what many new payers can cost together. */
  WALLET_FACTORY_GAS_PER_HOUR: z.coerce.number().int().min(1_000_000).max(10_000_000_000).default(30_000_000),
  /** Atomic USDC. A vault's remainder returns to its owner once a day, whatever the amount, and more often only from this amount on. */
  VAULT_RETURN_MIN: atomic.default(10_000n),
  /** Atomic USDC. The minimum limit, and the minimum funding, with which a vault is opened. */
  VAULT_OPENING_MIN: atomic.default(10_000n),
  /** The address that receives payments to the service itself: scans and service credits. */
  TREASURY_ADDRESS: z
    .string()
    .refine(isAddressText, { error: "must be a 20-byte 0x address", abort: true })
    .refine(
      (text) => !LOST.has(toAddress(text)),
      "must not be the zero address or the USDC contract: money sent there is lost",
    )
    .optional(),
  /** The factory of vaults. Without it, mandates have no vaults. */
  VAULT_FACTORY: z.string().refine(isAddressText, "must be a 20-byte 0x address").optional(),
  /** Number of the operator's own proxies in front of the service that append to X-Forwarded-For. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(8).default(0),
  ...MAIL_VARIABLES,
  ...OUTBOUND_VARIABLES,
  ...CATALOGUE_VARIABLES,
  ...PUSH_VARIABLES,
  ...SCREENING_VARIABLES,
  /** Comma-separated name=requests/time. Other limits keep their defaults. */
  RATE_LIMITS: limitList.default(DEFAULT_LIMITS),
  ...SITE_VARIABLES,
  LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
  /** A Unix socket for tests (control.ts). Like FAILPOINTS, refused outside devnet. */
  CONTROL_SOCKET: z.string().startsWith("/").max(100).optional(),
  FAILPOINTS: z.string().optional(),
});

/** For tests only: in production they would be a backdoor. */
const DEVNET_ONLY = ["CONTROL_SOCKET", "FAILPOINTS"] as const;

export type MailConfig = { url: string; from: string };

export type SiteConfig = {
  /** With placeholders; null: the checkout offers no place to buy USDC. */
  onrampUrl: string | null;
  /** Whether Coinbase's passkey wallet is offered. */
  isPasskeyOffered: boolean;
  operator: {
    /** Null: the pages name the host instead. */
    name: string | null;
    /** A mailto: or https: URI. */
    contact: string | null;
    /** A mailto: or https: URI; defaults to `contact`. */
    securityContact: string | null;
  };
};

export type Config = {
  mode: "devnet" | "production";
  port: number;
  metricsPort: number | null;
  /** Whether traces and metrics are sent to OTEL_EXPORTER_OTLP_ENDPOINT. */
  isTraced: boolean;
  /** Without a trailing slash. The start of every absolute URL in responses. */
  baseUrl: string;
  dataDir: string;
  databaseUrl: string;
  /** The same as `databaseUrl` without a pooler. */
  directUrl: string;
  /** Whether `databaseUrl` leads through a pooler in transaction mode. */
  isPooled: boolean;
  replicaUrl: string | null;
  databasePool: number;
  /** The number of processes behind this port. */
  processes: number;
  /** Null: history is never deleted. */
  historyDays: number | null;
  masterKeys: [Buffer, ...Buffer[]];
  sessionSecret: string;
  /** The nodes of each network, in the order in which they are tried. */
  rpcUrls: Record<NetworkName, [string, ...string[]]>;
  relayerKeys: [`0x${string}`, ...`0x${string}`[]];
  feeCaps: Record<NetworkName, FeeCap>;
  jwtTtlSeconds: number;
  confirmations: number;
  leaseSeconds: number;
  stuckSeconds: number;
  pollMilliseconds: number;
  settleWaitSeconds: number;
  redirectOrigins: string[];
  firewallId: string;
  firewallPrices: ScanPrices;
  minPayment: bigint;
  minContractPayment: bigint;
  payerGasPerHour: bigint;
  walletFactories: readonly Address[];
  walletFactoryGasPerHour: bigint;
  vaultReturnMin: bigint;
  vaultOpeningMin: bigint;
  treasury: Address;
  /** Null: no vaults, except on a devnet, where the factory is installed at its address. */
  vaultFactory: Address | null;
  trustedProxies: number;
  /** Null: no mail is sent. */
  mail: MailConfig | null;
  push: PushConfig;
  screening: ScreeningConfig;
  /** The operator's own addresses, which agents' requests must not reach. */
  ownAddresses: readonly AddressRange[];
  /** The URLs of other services' lists, without a trailing slash. */
  catalogues: readonly string[];
  limits: Record<LimitName, Limit>;
  site: SiteConfig;
  logLevel: "silent" | "error" | "warn" | "info" | "debug";
  /** Null except in tests. */
  controlSocket: string | null;
};

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * The only place that reads configuration. Devnet needs none: missing secrets are generated once and kept in DATA_DIR.
 * Throws ConfigError with every missing or invalid variable.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const isDevnet = (variables.MODE ?? "devnet") === "devnet";
  const present = isDevnet ? { ...devnetDefaults(variables), ...variables } : variables;
  const missing = REQUIRED.filter((name) => present[name] === undefined);
  const parsed = environment.safeParse(present);
  const forbiddenNames = isDevnet ? [] : DEVNET_ONLY.filter((name) => variables[name] !== undefined);
  const wrong = parsed.error?.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`) ?? [];
  if ((present.SMTP_URL === undefined) !== (present.MAIL_FROM === undefined)) {
    wrong.push("SMTP_URL: set it together with MAIL_FROM, or neither");
  }
  const unpaired = pairFault(present);
  if (unpaired !== null) wrong.push(unpaired);
  if (!parsed.success || missing.length > 0 || forbiddenNames.length > 0 || wrong.length > 0) {
    throw new ConfigError(
      [
        ...missing.map((name) => `${name}: required in production mode`),
        ...forbiddenNames.map((name) => `${name}: only for tests, refused in production mode`),
        ...wrong,
      ].join("\n"),
    );
  }
  // No variable of REQUIRED is missing here.
  const e = parsed.data as { [K in keyof typeof parsed.data]-?: NonNullable<(typeof parsed.data)[K]> };
  return {
    mode: e.MODE,
    port: e.PORT,
    metricsPort: parsed.data.METRICS_PORT ?? null,
    isTraced: parsed.data.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    baseUrl: e.PUBLIC_BASE_URL.replace(/\/+$/, ""),
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    directUrl: parsed.data.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
    isPooled: parsed.data.DATABASE_DIRECT_URL !== undefined,
    replicaUrl: parsed.data.DATABASE_REPLICA_URL ?? null,
    databasePool: e.DATABASE_POOL,
    processes: e.WEB_CONCURRENCY,
    historyDays: parsed.data.HISTORY_DAYS === "forever" ? null : parsed.data.HISTORY_DAYS,
    masterKeys: mapAll(e.MASTER_KEY, (hex) => Buffer.from(hex, "hex")),
    sessionSecret: e.NEXTAUTH_SECRET,
    rpcUrls: mapNetworks((name) => e[NETWORKS[name].variables.rpcUrl]),
    feeCaps: mapNetworks((name) => e[NETWORKS[name].variables.feeCap]),
    relayerKeys: mapAll(e.RELAYER_KEYS, (hex): `0x${string}` => `0x${hex}`),
    jwtTtlSeconds: seconds(e.JWT_EXPIRES_IN),
    confirmations: e.CONFIRMATIONS,
    leaseSeconds: e.LEASE_SECONDS,
    stuckSeconds: e.STUCK_SECONDS,
    pollMilliseconds: parsed.data.POLL_MILLISECONDS ?? (isDevnet ? 200 : 1000),
    settleWaitSeconds: e.SETTLE_WAIT_SECONDS,
    redirectOrigins: parsed.data.REDIRECT_ORIGINS ?? [],
    firewallId: e.FIREWALL_ID,
    firewallPrices: e.FIREWALL_PRICES,
    minPayment: e.MIN_PAYMENT,
    minContractPayment: e.MIN_CONTRACT_PAYMENT,
    payerGasPerHour: BigInt(e.PAYER_GAS_PER_HOUR),
    walletFactories: e.WALLET_FACTORIES,
    walletFactoryGasPerHour: BigInt(e.WALLET_FACTORY_GAS_PER_HOUR),
    vaultReturnMin: e.VAULT_RETURN_MIN,
    vaultOpeningMin: e.VAULT_OPENING_MIN,
    treasury: toAddress(e.TREASURY_ADDRESS),
    vaultFactory: parsed.data.VAULT_FACTORY ? toAddress(parsed.data.VAULT_FACTORY) : null,
    trustedProxies: e.TRUSTED_PROXIES,
    mail:
      parsed.data.SMTP_URL !== undefined && parsed.data.MAIL_FROM !== undefined
        ? { url: parsed.data.SMTP_URL, from: parsed.data.MAIL_FROM }
        : null,
    push: pushOf(parsed.data, e.PUBLIC_BASE_URL),
    screening: screeningOf(parsed.data),
    ownAddresses: parsed.data.OWN_ADDRESSES ?? [],
    catalogues: parsed.data.CATALOGUES ?? [],
    limits: e.RATE_LIMITS,
    site: {
      onrampUrl: parsed.data.ONRAMP_URL ?? null,
      isPasskeyOffered: parsed.data.PASSKEY_WALLET === "coinbase",
      operator: {
        name: parsed.data.OPERATOR_NAME ?? null,
        contact: parsed.data.OPERATOR_CONTACT ?? null,
        securityContact: parsed.data.SECURITY_CONTACT ?? parsed.data.OPERATOR_CONTACT ?? null,
      },
    },
    logLevel: e.LOG_LEVEL,
    controlSocket: parsed.data.CONTROL_SOCKET ?? null,
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
  "TREASURY_ADDRESS",
] as const;

const mapAll = <A, B>([first, ...tail]: [A, ...A[]], change: (item: A) => B): [B, ...B[]] => [
  change(first),
  ...tail.map(change),
];
