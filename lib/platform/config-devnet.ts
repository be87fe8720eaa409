import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keccak256, stringToBytes } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { z } from "zod";

/** What a devnet needs and nobody has configured. Its secrets are created at the first start. */
export function devnetDefaults(env: Record<string, string | undefined>): Record<string, string> {
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
