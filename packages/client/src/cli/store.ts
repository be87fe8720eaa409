import { randomUUID } from "node:crypto";
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { textOf } from "../../../x402/src/json.ts";
import type { AgentKey } from "../agent-key.ts";
import type { PassStore } from "../pay.ts";
import type { Proof } from "../proof.ts";
import type { Account } from "../session.ts";
import { accountOf, newPrivateKey } from "./key.ts";

type Env = Record<string, string | undefined>;

/** Returns TESSERA_CONFIG_DIR, otherwise `tessera` in the user's configuration directory. */
export function configDir(env: Env): string {
  if (env.TESSERA_CONFIG_DIR) return env.TESSERA_CONFIG_DIR;
  const base = process.platform === "win32" ? env.APPDATA : env.XDG_CONFIG_HOME;
  return join(base || join(homedir(), ".config"), "tessera");
}

/** Writes a file that only the user can read. Another command that reads it meanwhile sees the old one or the new one. */
function writePrivate(directory: string, name: string, value: object): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // A new file: overwriting would keep the old mode, and the secret would be readable until chmod.
  const written = join(directory, `${name}.${randomUUID()}`);
  writeFileSync(written, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(written, 0o600);
  renameSync(written, join(directory, name));
}

function readJson(path: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}

export const saveAccount = (env: Env, account: Account): void => writePrivate(configDir(env), "config.json", account);

/** Returns the account from TESSERA_URL, TESSERA_AGENT_ID and TESSERA_TOKEN; what is missing there is as `login` stored it. */
export function findAccount(env: Env): Account | null {
  const stored = readJson(join(configDir(env), "config.json"));
  const [baseUrl, agentId, token] = [
    env.TESSERA_URL ?? stored.baseUrl,
    env.TESSERA_AGENT_ID ?? stored.agentId,
    env.TESSERA_TOKEN ?? stored.token,
  ];
  const isWhole = typeof baseUrl === "string" && typeof agentId === "string" && typeof token === "string";
  return isWhole ? { baseUrl, agentId, token } : null;
}

const proofsDir = (env: Env) => join(configDir(env), "proofs");
const nameOf = (id: string) => `${id.replace(/[^\w-]/g, "_")}.json`;

/** Stores a proof. It is never printed: whoever has it can submit it. */
export const saveProof = (env: Env, proof: Proof): void =>
  writePrivate(proofsDir(env), nameOf(proof.paymentRecordId), proof);

export function findProof(env: Env, paymentRecordId: string): Proof | null {
  const stored = readJson(join(proofsDir(env), nameOf(paymentRecordId)));
  // Safe cast: `saveProof` wrote the file.
  return stored.paymentRecordId === paymentRecordId ? (stored as Proof) : null;
}

export const removeProof = (env: Env, paymentRecordId: string): void =>
  rmSync(join(proofsDir(env), nameOf(paymentRecordId)), { force: true });

/** The agent's passes, each in a file: another command uses them. */
export function passesOf(env: Env, agentId: string): PassStore {
  const directory = join(configDir(env), "passes");
  const fileOf = (paidUrl: string) => nameOf(`${agentId} ${paidUrl}`);
  return {
    get: (paidUrl) => {
      // Before a pass is paid: one that cannot be stored would be paid again by the next command.
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      accessSync(directory, constants.W_OK);
      const stored = readJson(join(directory, fileOf(paidUrl)));
      // Two URLs can have one file name.
      return stored.agentId === agentId && stored.paidUrl === paidUrl ? textOf(stored.token) : undefined;
    },
    set: (paidUrl, token) => writePrivate(directory, fileOf(paidUrl), { agentId, paidUrl, token }),
  };
}

const keysDir = (env: Env) => join(configDir(env), "agent-keys");

/** Returns the agent's own key: TESSERA_AGENT_KEY, otherwise as `ownAgentKey` stored it. */
export function findAgentKey(env: Env, agentId: string): AgentKey | null {
  const privateKey = env.TESSERA_AGENT_KEY ?? readJson(join(keysDir(env), nameOf(agentId))).privateKey;
  return typeof privateKey === "string" ? accountOf(privateKey) : null;
}

/** Returns the agent's own key; creates and stores one if there is none. It is never printed and never sent. */
export function ownAgentKey(env: Env, agentId: string): AgentKey {
  const storedKey = findAgentKey(env, agentId);
  if (storedKey) return storedKey;
  const privateKey = newPrivateKey();
  const account = accountOf(privateKey);
  writePrivate(keysDir(env), nameOf(agentId), { agentId, address: account.address, privateKey });
  return account;
}
