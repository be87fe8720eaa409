import { createHash, verify } from "node:crypto";
import { open } from "node:fs/promises";
import type { Address } from "@/lib/core/address";
import { edgeErrors } from "@/lib/http/errors";
import type { Config } from "@/lib/platform/config";
import type { ScreeningSource } from "@/lib/platform/config-screening";
import type { System } from "@/lib/platform/context";
import { screeningErrors } from "./errors";
import { appealUrl, findListed, LIST_BYTES_MAX, type LoadedList, readList } from "./rules";

/** `triedAtMs`: when the lists were last read, by the monotonic clock. */
type State = { lists: Map<string, LoadedList>; loading: Promise<void> | null; triedAtMs: number };

/** The lists of this process. */
const states = new WeakMap<Config, State>();

const READ_MS_MAX = 30_000;
const SIGNATURE_BYTES_MAX = 200;
/** While a list was never read, requests read it again this often. */
const AGAIN_MS = 1_000;

/**
 * Refuses to pay an address on a list of the operator. Every door that signs a transfer to others calls it before it signs. Throws
 * payee_denied, and unavailable until each list was read once.
 */
export async function assertPayable(system: System, payees: readonly Address[]): Promise<void> {
  const hit = await findDenied(system, payees);
  if (hit) throw screeningErrors.payee_denied(hit);
}

/**
 * Refuses to settle a payment from or to an address on a list of the operator. Called before any node sees the proof. Throws
 * payee_denied, payer_denied, and unavailable until each list was read once.
 */
export async function assertSettleable(
  system: System,
  { payer, payee }: { payer: Address; payee: Address },
): Promise<void> {
  await assertPayable(system, [payee]);
  const hit = await findDenied(system, [payer]);
  if (hit) throw screeningErrors.payer_denied(hit);
}

/**
 * Logs that a payment which was claimed before its parties were listed goes on: only the chain ends an authorization.
 */
export function reportUnderWay(
  system: System,
  { id: settlementId, payer, payee }: { id: string; payer: Address; payee: Address },
): void {
  const hit = findListed([...stateOf(system).lists.values()], [payee, payer]);
  if (hit) system.log.warn({ settlementId, ...hit }, "screening.denied_under_way");
}

/** The first of the addresses that is listed, with what an error says about it. Null if none is. */
async function findDenied(system: System, addresses: readonly Address[]) {
  const { lists, site } = { lists: await listsOf(system), site: system.config.site };
  const hit = findListed(lists, addresses);
  if (!hit) return null;
  const appeal = appealUrl(site.operator.contact, hit);
  const contact = appeal === null ? "" : ". Report a mistake to the operator: appealUrl";
  return {
    ...hit,
    message: `${hit.address} is on the operator's list "${hit.list}": it is not paid, and its payments are not taken. Nothing was signed or sent${contact}`,
    ...(appeal !== null && { appealUrl: appeal }),
  };
}

async function listsOf(system: System): Promise<LoadedList[]> {
  const sources = system.config.screening.lists;
  if (sources.length === 0) return [];
  const state = stateOf(system);
  const isDue = state.loading !== null || performance.now() - state.triedAtMs > AGAIN_MS;
  if (state.lists.size < sources.length && isDue) await reload(system);
  if (state.lists.size < sources.length) throw edgeErrors.unavailable({ message: NOT_READ });
  return [...state.lists.values()];
}

const NOT_READ =
  "The operator's lists of addresses that are not paid could not be read yet. Nothing was signed or sent: send the same request again in a minute";

function stateOf(system: System): State {
  const { config } = system;
  const existing = states.get(config);
  if (existing) return existing;
  const state: State = { lists: new Map(), loading: null, triedAtMs: Number.NEGATIVE_INFINITY };
  states.set(config, state);
  if (config.screening.lists.length > 0)
    setInterval(() => void reload(system), config.screening.reloadSeconds * 1000).unref();
  return state;
}

/** Reads every list again. A list that cannot be read stays as it was. Never rejects. Concurrent calls share one reading. */
export function reload(system: System): Promise<void> {
  const state = stateOf(system);
  state.loading ??= (async () => {
    for (const source of system.config.screening.lists) await reloadList(system, state, source);
  })().finally(() => {
    state.loading = null;
    state.triedAtMs = performance.now();
  });
  return state.loading;
}

async function reloadList(system: System, { lists }: State, source: ScreeningSource): Promise<void> {
  const { log, config } = system;
  const { name } = source;
  const previous = lists.get(name);
  try {
    const bytes = await readSource(source.source, LIST_BYTES_MAX);
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    if (digest === previous?.digest) return;
    const { key } = config.screening;
    if (key) {
      const text = (await readSource(`${source.source}.sig`, SIGNATURE_BYTES_MAX)).toString("latin1").trim();
      if (!verify(null, bytes, key, Buffer.from(text, "base64")))
        throw new Error("its signature is not by SCREENING_KEY");
    }
    const list = await readList(bytes);
    if (list.type === "broken") throw new Error(list.why);
    lists.set(name, { name, digest, addresses: list.addresses });
    log.info({ list: name, digest, isSigned: key !== null, addresses: list.addresses.size }, "screening.loaded");
  } catch (err) {
    log.error({ list: name, keptDigest: previous?.digest ?? null, err }, "screening.list_broken");
  }
}

const readSource = (source: string, bytesMax: number): Promise<Buffer> =>
  source.startsWith("/") ? readFileAtMost(source, bytesMax) : fetchAtMost(source, bytesMax);

async function readFileAtMost(path: string, bytesMax: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    if (!(await file.stat()).isFile()) throw new Error("not a file");
    return await collect(file.createReadStream({ autoClose: false }), bytesMax);
  } finally {
    await file.close();
  }
}

async function fetchAtMost(url: string, bytesMax: number): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READ_MS_MAX) });
  if (!response.ok || !response.body) throw new Error(`the URL answered ${response.status}`);
  return collect(response.body, bytesMax);
}

async function collect(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > bytesMax) throw new Error(`larger than ${bytesMax} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
