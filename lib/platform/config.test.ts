import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "@/lib/core/limits";
import { type Config, ConfigError, readConfig } from "./config";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tessera-config-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const PRODUCTION = {
  MODE: "production",
  PUBLIC_BASE_URL: "https://wallet.example",
  DATABASE_URL: "postgres://u:p@db/tessera",
  MASTER_KEY: "11".repeat(32),
  NEXTAUTH_SECRET: "a secret of some length",
  BASE_RPC_URL: "https://base.example",
  BASE_SEPOLIA_RPC_URL: "https://sepolia.example",
  RELAYER_KEYS: `0x${"22".repeat(32)}`,
  TREASURY_ADDRESS: `0x${"33".repeat(20)}`,
};

const errorOf = (env: Record<string, string | undefined>): string => {
  try {
    readConfig(env);
    return "";
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

describe("the configuration in production", () => {
  test("is complete with the required variables", () => {
    expect(readConfig(PRODUCTION)).toMatchObject({
      mode: "production",
      baseUrl: "https://wallet.example",
      jwtTtlSeconds: 900,
      confirmations: 1,
      settleWaitSeconds: 25,
      relayerKeys: [`0x${"22".repeat(32)}`],
    } satisfies Partial<Config>);
  });

  test("deletes history after a time unless the operator sets another", () => {
    const daysOf = (HISTORY_DAYS?: string) => readConfig({ ...PRODUCTION, HISTORY_DAYS }).historyDays;
    expect([daysOf(), daysOf(""), daysOf("90"), daysOf("forever")]).toEqual([400, 400, 90, null]);
    expect(errorOf({ ...PRODUCTION, HISTORY_DAYS: "89" })).toContain("HISTORY_DAYS");
  });

  test("reports all missing variables in one error", () => {
    const message = errorOf({ MODE: "production" });
    for (const name of Object.keys(PRODUCTION).filter((key) => key !== "MODE")) expect(message).toContain(`${name}:`);
  });

  test.each(Object.keys(PRODUCTION).filter((name) => name !== "MODE"))(
    "reports %s alone if it is missing or empty",
    (name) => {
      for (const value of [undefined, ""]) {
        const message = errorOf({ ...PRODUCTION, [name]: value });
        expect(message.split("\n")).toEqual([expect.stringContaining(`${name}: required`)]);
      }
    },
  );

  test.each([
    ["CONTROL_SOCKET", "/tmp/control.sock"],
    ["FAILPOINTS", "relayer.sent=kill"],
  ])("refuses %s, which is accepted on a devnet", (name, value) => {
    expect(errorOf({ ...PRODUCTION, [name]: value })).toBe(`${name}: only for tests, refused in production mode`);
    expect(errorOf({ MODE: "devnet", DATA_DIR: dir, [name]: value })).toBe("");
  });

  test("never generates secrets or writes to disk", () => {
    expect(errorOf({ ...PRODUCTION, MASTER_KEY: undefined, DATA_DIR: dir })).toContain("MASTER_KEY");
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("an invalid value", () => {
  test.each([
    ["MODE", "Production"],
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "http"],
    ["PORT", "80.5"],
    ["PUBLIC_BASE_URL", "wallet.example"],
    ["PUBLIC_BASE_URL", "ftp://wallet.example"],
    ["DATABASE_URL", "mysql://db"],
    ["MASTER_KEY", "short"],
    ["MASTER_KEY", "zz".repeat(32)],
    ["MASTER_KEY", `${"11".repeat(32)},`],
    ["NEXTAUTH_SECRET", "short"],
    ["BASE_RPC_URL", "not a url"],
    ["BASE_RPC_URL", "https://one.example,"],
    ["BASE_RPC_URL", "https://one.example https://two.example"],
    ["BASE_RPC_URL", "https://one.example,wss://two.example"],
    ["BASE_SEPOLIA_RPC_URL", "not a url"],
    ["RELAYER_KEYS", "0x1234"],
    ["RELAYER_KEYS", `0x${"22".repeat(32)};0x${"33".repeat(32)}`],
    ["JWT_EXPIRES_IN", "0"],
    ["JWT_EXPIRES_IN", "15 m"],
    ["JWT_EXPIRES_IN", "-5m"],
    ["JWT_EXPIRES_IN", "1w"],
    ["CONFIRMATIONS", "0"],
    ["CONFIRMATIONS", "1.5"],
    ["SETTLE_WAIT_SECONDS", "-1"],
    ["SETTLE_WAIT_SECONDS", "56"],
    ["LEASE_SECONDS", "0"],
    ["LOG_LEVEL", "verbose"],
    ["TRUSTED_PROXIES", "-1"],
    ["TRUSTED_PROXIES", "9"],
    ["TRUSTED_PROXIES", "1.5"],
    ["TRUSTED_PROXIES", "yes"],
    ["ONRAMP_URL", "http://buy.example"],
    ["ONRAMP_URL", "javascript:alert(1)"],
    ["ONRAMP_URL", "https://buy.example/?to={owner}"],
    ["ONRAMP_URL", "https://buy.example/?to={address"],
    ["OPERATOR_NAME", "Two\nlines"],
    ["OPERATOR_CONTACT", "http://wallet.example"],
    ["OPERATOR_CONTACT", "javascript:alert(1)"],
    ["SECURITY_CONTACT", "security@wallet.example?cc=x@y.example"],
    ["PASSKEY_WALLET", "yes"],
    ["VAPID_PUBLIC_KEY", "not a key"],
    ["VAPID_PRIVATE_KEY", "not a key"],
    ["VAPID_SUBJECT", "http://wallet.example"],
    ["RATE_LIMITS", "register_per_address"],
    ["RATE_LIMITS", "register_per_address=30"],
    ["RATE_LIMITS", "register_per_address=0/1m"],
    ["RATE_LIMITS", "register_per_address=-1/1m"],
    ["RATE_LIMITS", "register_per_address=1.5/1m"],
    ["RATE_LIMITS", "register_per_address=30/0"],
    ["RATE_LIMITS", "register_per_address=30/1w"],
    ["RATE_LIMITS", "register_per_address=99999999/1m"],
    ["RATE_LIMITS", "register=30/1m"],
    ["RATE_LIMITS", "constructor=30/1m"],
    ["RATE_LIMITS", "register_per_address=30/1m,"],
    ["RATE_LIMITS", "register_per_address=30/1m;refresh_per_agent=1/1m"],
  ])("(%s=%j) is reported by the variable's name, without the value", (name, value) => {
    const message = errorOf({ ...PRODUCTION, [name]: value });
    expect(message).toContain(`${name}:`);
    if (/KEY|SECRET/.test(name)) expect(message).not.toContain(value);
  });

  test("is reported together with all other invalid values", () => {
    const message = errorOf({ ...PRODUCTION, PORT: "0", CONFIRMATIONS: "0", LOG_LEVEL: "loud" });
    expect(message.split("\n").map((line) => line.split(":")[0])).toEqual(["PORT", "CONFIRMATIONS", "LOG_LEVEL"]);
  });
});

test.each([
  ["900", 900],
  ["90s", 90],
  ["15m", 900],
  ["2h", 7_200],
  ["1d", 86_400],
])("a login with JWT_EXPIRES_IN %s is valid for %s seconds", (text, seconds) => {
  expect(readConfig({ ...PRODUCTION, JWT_EXPIRES_IN: text }).jwtTtlSeconds).toBe(seconds);
});

test("mail is sent if a server and a sender are set, and not if neither is", () => {
  const mail = { SMTP_URL: "smtps://user:p%40ss@mail.example:465", MAIL_FROM: "Tessera <mail@wallet.example>" };
  expect(readConfig({ ...PRODUCTION, ...mail }).mail).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM });
  expect(readConfig({ ...PRODUCTION, SMTP_URL: "", MAIL_FROM: "" }).mail).toBeNull();
  for (const only of [{ SMTP_URL: mail.SMTP_URL }, { MAIL_FROM: mail.MAIL_FROM }]) {
    expect(errorOf({ ...PRODUCTION, ...only })).toBe("SMTP_URL: set it together with MAIL_FROM, or neither");
  }
  expect(errorOf({ ...PRODUCTION, ...mail, SMTP_URL: "https://mail.example" })).toContain("SMTP_URL: must be smtp://");
  expect(errorOf({ ...PRODUCTION, ...mail, MAIL_FROM: "a@b.example\r\nBcc: c@d.example" })).toContain("MAIL_FROM:");
});

test("Coinbase's wallet is offered only if the operator enables it", () => {
  expect(readConfig(PRODUCTION).site.isPasskeyOffered).toBe(false);
  expect(readConfig({ ...PRODUCTION, PASSKEY_WALLET: "coinbase" }).site.isPasskeyOffered).toBe(true);
});

test("the operator's details are shown as far as they are set, and reports go to the operator unless another contact is set", () => {
  const contacts = { OPERATOR_NAME: "Example Ltd", OPERATOR_CONTACT: "hello@wallet.example" };
  const nobody = { name: null, contact: null, securityContact: null };
  const contact = "mailto:hello@wallet.example";
  expect(readConfig(PRODUCTION).site.operator).toEqual(nobody);
  expect(readConfig({ ...PRODUCTION, ...contacts }).site.operator).toEqual({
    name: "Example Ltd",
    contact,
    securityContact: contact,
  });
  const SECURITY_CONTACT = "https://wallet.example/report";
  expect(readConfig({ ...PRODUCTION, ...contacts, SECURITY_CONTACT }).site.operator).toMatchObject({
    contact,
    securityContact: SECURITY_CONTACT,
  });
});

test("push notices are signed with the configured pair of keys, or with a generated one", () => {
  const keys = {
    VAPID_PUBLIC_KEY: "BNwXmHl_VnIGSiaNPC2xrjMlu3QLf2U7bkWAz70e7KFStm7AUDIxrAfVuOXD2WmAwEYKjnzqTDjSldwk6hYtNiE",
    VAPID_PRIVATE_KEY: "ZmOzV-cgFUr_0gHbPtB9smRLobI-qXCA4z9aiV0cGGA",
  };
  const [publicKey, privateKey] = [keys.VAPID_PUBLIC_KEY, keys.VAPID_PRIVATE_KEY];
  const subject = readConfig(PRODUCTION).baseUrl;
  expect(readConfig(PRODUCTION).push).toEqual({ keys: null, subject });
  expect(readConfig({ ...PRODUCTION, ...keys }).push).toEqual({ keys: { publicKey, privateKey }, subject });
  const VAPID_SUBJECT = "mailto:operator@wallet.example";
  expect(readConfig({ ...PRODUCTION, VAPID_SUBJECT }).push.subject).toBe(VAPID_SUBJECT);
  for (const only of [{ VAPID_PUBLIC_KEY: publicKey }, { VAPID_PRIVATE_KEY: privateKey }]) {
    const said = "VAPID_PUBLIC_KEY: set it together with VAPID_PRIVATE_KEY, or neither";
    expect(errorOf({ ...PRODUCTION, ...only })).toBe(said);
  }
  const message = errorOf({ ...PRODUCTION, ...keys, VAPID_PRIVATE_KEY: `A${privateKey.slice(1)}` });
  expect(message).toBe("VAPID_PUBLIC_KEY: must belong to VAPID_PRIVATE_KEY");
  expect(errorOf({ ...PRODUCTION, ...keys, VAPID_PRIVATE_KEY: "A".repeat(43) })).toBe(message);
});

test("rate limits have their defaults except for the configured ones", () => {
  expect(readConfig(PRODUCTION).limits).toEqual(DEFAULT_LIMITS);
  const RATE_LIMITS = "register_per_address=5/10s, verify_per_agent=1000/2h";
  expect(readConfig({ ...PRODUCTION, RATE_LIMITS }).limits).toEqual({
    ...DEFAULT_LIMITS,
    register_per_address: { requests: 5, seconds: 10 },
    verify_per_agent: { requests: 1000, seconds: 7200 },
  });
});

test("WALLET_FACTORIES are those of Coinbase Smart Wallet, others, or none", () => {
  const factoriesOf = (text?: string) => readConfig({ ...PRODUCTION, WALLET_FACTORIES: text }).walletFactories;
  expect(factoriesOf()).toHaveLength(2);
  const other = `0x${"5".repeat(40)}`;
  expect(factoriesOf(` ${other}`)).toEqual([other]);
  expect(factoriesOf("off")).toEqual([]);
});

describe("the catalogues of others", () => {
  const read = (CATALOGUES: string) => readConfig({ DATA_DIR: dir, CATALOGUES }).catalogues;

  test("are none by default, and otherwise up to four URLs without a trailing slash", () => {
    expect(read("")).toEqual([]);
    expect(read("https://a.example/x402/, https://b.example")).toEqual(["https://a.example/x402", "https://b.example"]);
  });

  test.each([
    "a.example",
    "ftp://a.example",
    "https://a.example,",
    "https://a.example,https://a.example/",
    "https://a.example,https://b.example,https://c.example,https://d.example,https://e.example",
  ])("cannot be %s", (text) => {
    expect(() => read(text)).toThrow("CATALOGUES");
  });
});

test("scans have their default prices except for the configured ones, and can be switched off", () => {
  expect(readConfig(PRODUCTION)).toMatchObject({
    firewallId: "sentinel",
    firewallPrices: { scan: 500_000n, "x402-scan": 500_000n, "prompt-scan": 500_000n },
    treasury: `0x${"33".repeat(20)}`,
  });
  const FIREWALL_PRICES = "scan=1.25, prompt-scan=off";
  expect(readConfig({ ...PRODUCTION, FIREWALL_PRICES, FIREWALL_ID: "watch-1" })).toMatchObject({
    firewallId: "watch-1",
    firewallPrices: { scan: 1_250_000n, "x402-scan": 500_000n, "prompt-scan": null },
  });
});

test.each([
  ["WALLET_FACTORIES", "coinbase"],
  ["WALLET_FACTORY_GAS_PER_HOUR", "999999"],
  ["FIREWALL_PRICES", "scan=0.5"],
  ["FIREWALL_PRICES", "scan=0.001"],
  ["FIREWALL_PRICES", "scan=0.00"],
  ["FIREWALL_PRICES", "scan=1000.01"],
  ["FIREWALL_PRICES", "other=0.50"],
  ["FIREWALL_PRICES", "scan"],
  ["FIREWALL_ID", "a/b"],
  ["FIREWALL_ID", "-a"],
  ["TREASURY_ADDRESS", "0x12"],
  ["TREASURY_ADDRESS", `0x${"00".repeat(20)}`],
  ["TREASURY_ADDRESS", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
])("the setting %s=%s is refused by its name", (name, value) => {
  expect(errorOf({ ...PRODUCTION, [name]: value })).toContain(`${name}:`);
});

test("no proxy is trusted unless TRUSTED_PROXIES counts it", () => {
  expect(readConfig(PRODUCTION).trustedProxies).toBe(0);
  expect(readConfig({ ...PRODUCTION, TRUSTED_PROXIES: "2" }).trustedProxies).toBe(2);
});

test("keys may have 0x, white space and capitals, and are separated by commas", () => {
  const config = readConfig({
    ...PRODUCTION,
    MASTER_KEY: `${"AB".repeat(32)}, 0x${"cd".repeat(32)}`,
    RELAYER_KEYS: `0x${"EF".repeat(32)},${"01".repeat(32)}`,
  });
  expect(config.masterKeys.map((key) => key.toString("hex"))).toEqual(["ab".repeat(32), "cd".repeat(32)]);
  expect(config.relayerKeys).toEqual([`0x${"ef".repeat(32)}`, `0x${"01".repeat(32)}`]);
});

test("the base of every URL has no trailing slash", () => {
  expect(readConfig({ ...PRODUCTION, PUBLIC_BASE_URL: "https://wallet.example//" }).baseUrl).toBe(
    "https://wallet.example",
  );
});

describe("the configuration on a devnet", () => {
  test("requires no variable, and generated secrets stay the same", () => {
    const first = readConfig({ DATA_DIR: dir });
    expect(readConfig({ DATA_DIR: dir })).toEqual(first);
    expect(first).toMatchObject({ mode: "devnet", baseUrl: "http://localhost:3000" });
    expect(first.relayerKeys[0]).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test("keeps secrets in files that only their user can read, and that differ per installation", () => {
    const first = readConfig({ DATA_DIR: dir });
    const otherConfig = readConfig({ DATA_DIR: join(dir, "other") });
    expect(statSync(join(dir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(otherConfig.masterKeys).not.toEqual(first.masterKeys);
    expect(otherConfig.relayerKeys).not.toEqual(first.relayerKeys);
    expect(otherConfig.sessionSecret).not.toBe(first.sessionSecret);
  });

  test("prefers set variables over generated values", () => {
    const config = readConfig({ DATA_DIR: dir, MASTER_KEY: "33".repeat(32), PORT: "4000", PUBLIC_BASE_URL: "" });
    expect(config.masterKeys.map((key) => key.toString("hex"))).toEqual(["33".repeat(32)]);
    expect(config.baseUrl).toBe("http://localhost:4000");
  });
});

test("a network has all its configured nodes, in their order", () => {
  const BASE_RPC_URL = "https://one.example/key , http://two.example:8545";
  expect(readConfig({ ...PRODUCTION, BASE_RPC_URL }).rpcUrls).toEqual({
    base: ["https://one.example/key", "http://two.example:8545"],
    "base-sepolia": ["https://sepolia.example"],
  });
});

describe("the lists of addresses that are not paid", () => {
  test("are named files and URLs", () => {
    const SCREENING_LISTS = "ofac=/etc/sdn.csv, ours=https://lists.example/a?b=c";
    expect(readConfig({ ...PRODUCTION, SCREENING_LISTS }).screening).toEqual({
      lists: [
        { name: "ofac", source: "/etc/sdn.csv" },
        { name: "ours", source: "https://lists.example/a?b=c" },
      ],
      reloadSeconds: 900,
      key: null,
    });
    expect(readConfig(PRODUCTION).screening.lists).toEqual([]);
  });

  test.each(["/etc/sdn.csv", "ofac=sdn.csv", "ofac=ftp://a.example", "a=/1,a=/2", "OFAC=/1", "a=/1,", "=/1"])(
    "are refused as %s",
    (SCREENING_LISTS) => {
      expect(errorOf({ ...PRODUCTION, SCREENING_LISTS })).toContain("SCREENING_LISTS:");
    },
  );

  test("have a key of 32 bytes", () => {
    const key = readConfig({ ...PRODUCTION, SCREENING_KEY: Buffer.alloc(32, 7).toString("base64") }).screening.key;
    expect(key?.asymmetricKeyType).toBe("ed25519");
    expect(errorOf({ ...PRODUCTION, SCREENING_KEY: "AAAA" })).toContain("SCREENING_KEY:");
  });
});
