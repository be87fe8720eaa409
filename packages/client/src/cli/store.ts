import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentKey } from "../agent-key.ts";
import type { Proof } from "../proof.ts";
import type { Account } from "../session.ts";
import { accountOf, newPrivateKey } from "./key.ts";

type Env = Record<string, string | undefined>;

/** TESSERA_CONFIG_DIR, or `tessera` in the user's configuration directory. */
export function configDir(env: Env): string {
  if (env.TESSERA_CONFIG_DIR) return env.TESSERA_CONFIG_DIR;
  const base = process.platform === "win32" ? env.APPDATA : env.XDG_CONFIG_HOME;
  return join(base || join(homedir(), ".config"), "tessera");
}

/** Only the user can read it. */
function writePrivate(directory: string, name: string, value: object): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, name);
  // An existing file keeps its mode: the new one must not be readable for a moment either.
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(path, 0o600);
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

/** From the environment (TESSERA_URL, TESSERA_AGENT_ID, TESSERA_TOKEN), otherwise as `login` stored it. */
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

/** Anyone who has a proof can submit it, so it is not printed. */
export const saveProof = (env: Env, proof: Proof): void =>
  writePrivate(proofsDir(env), nameOf(proof.paymentRecordId), proof);

export function findProof(env: Env, paymentRecordId: string): Proof | null {
  const stored = readJson(join(proofsDir(env), nameOf(paymentRecordId)));
  // Written by saveProof.
  return stored.paymentRecordId === paymentRecordId ? (stored as Proof) : null;
}

export const removeProof = (env: Env, paymentRecordId: string): void =>
  rmSync(join(proofsDir(env), nameOf(paymentRecordId)), { force: true });

const keysDir = (env: Env) => join(configDir(env), "agent-keys");

/** The agent's own key: TESSERA_AGENT_KEY, otherwise as `createAgentKey` stored it. */
export function findAgentKey(env: Env, agentId: string): AgentKey | null {
  const privateKey = env.TESSERA_AGENT_KEY ?? readJson(join(keysDir(env), nameOf(agentId))).privateKey;
  return typeof privateKey === "string" ? accountOf(privateKey) : null;
}

/** The agent's own key, made and stored if there is none. It is never printed and never sent. */
export function ownAgentKey(env: Env, agentId: string): AgentKey {
  const storedKey = findAgentKey(env, agentId);
  if (storedKey) return storedKey;
  const privateKey = newPrivateKey();
  const account = accountOf(privateKey);
  writePrivate(keysDir(env), nameOf(agentId), { agentId, address: account.address, privateKey });
  return account;
}
