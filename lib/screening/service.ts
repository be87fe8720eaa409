import { createHash, verify } from "node:crypto";
import { open } from "node:fs/promises";
import type { Address } from "@/lib/core/address";
import { entriesFor } from "@/lib/core/host";
import type { OwnerId } from "@/lib/core/ids";
import { edgeErrors } from "@/lib/http/errors";
import { batchedOn } from "@/lib/platform/batch";
import type { Config } from "@/lib/platform/config";
import type { ScreeningSource } from "@/lib/platform/config-screening";
import type { System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { screeningErrors } from "./errors";
import { explainRefusal, findListed, LIST_BYTES_MAX, type LoadedList, readList, refusalBy, reportPath } from "./rules";
import * as store from "./store";

export { OWNERS_LIST } from "./rules";

/** `triedAtMs`: when the lists were last read, by the monotonic clock. */
type State = { lists: Map<string, LoadedList>; loading: Promise<void> | null; triedAtMs: number };

/** The lists of this process. */
const states = new WeakMap<Config, State>();

const READ_MS_MAX = 30_000;
const SIGNATURE_BYTES_MAX = 200;
/** While a list was never read, requests read it again this often. */
const AGAIN_MS = 1_000;

/** What is about to be signed. */
export type Paying = {
  payees: readonly Address[];
  /** Where the agent says that it pays. Null for transfers to addresses alone. */
  site: { host: string; defaultPort: string } | null;
  /** Whose money it is. Null before an agent's owner is known. */
  wallet: { ownerId: OwnerId; payeesRevision: number } | null;
  /** Money that goes back to a buyer: the owner's allow list does not hold for it. */
  isReturn?: boolean;
};

/**
 * Refuses to pay whom a list of the operator or of the owner excludes. Every door that signs a transfer to others calls it before it
 * signs. Throws payee_denied, and unavailable until each list of the operator was read once.
 */
export async function assertPayable(system: System, paying: Paying): Promise<void> {
  const hit = await findDenied(system, paying.payees);
  if (hit) throw screeningErrors.payee_denied(hit);
  await assertOwnerPays(system, paying);
}

const findOwnerLists = batchedOn((db) => (lookups: readonly store.Lookup[]) => store.findListed(db, lookups));

/** The owner's lists alone. `tx`: the transaction to read them in. An owner who never had one costs no statement. */
export async function assertOwnerPays(
  { db, config }: System,
  { payees, site, wallet, isReturn = false }: Paying,
  tx?: Queryable,
): Promise<void> {
  if (wallet === null || wallet.payeesRevision === 0) return;
  const hosts = site === null ? [] : entriesFor(site.host, site.defaultPort);
  const lookup = { ownerId: wallet.ownerId, payees: [...payees, ...hosts] };
  const [lists] = tx ? await store.findListed(tx, [lookup]) : [await findOwnerLists(db, lookup)];
  const refusal = lists && refusalBy(lists, { payees, hosts, isReturn });
  if (refusal) throw screeningErrors.payee_denied(explainRefusal(refusal, config.baseUrl));
}

/**
 * Refuses to settle a payment from or to an address on a list of the operator. Called before any node sees the proof. Throws
 * payee_denied, payer_denied, and unavailable until each list was read once.
 */
export async function assertSettleable(
  system: System,
  { payer, payee }: { payer: Address; payee: Address },
): Promise<void> {
  const payeeHit = await findDenied(system, [payee]);
  if (payeeHit) throw screeningErrors.payee_denied(payeeHit);
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
  const hit = findListed(await listsOf(system), addresses);
  if (!hit) return null;
  return {
    ...hit,
    message: `${hit.address} is on the operator's list "${hit.list}": it is not paid, and its payments are not taken. Nothing was signed or sent`,
    appealUrl: `${system.config.baseUrl}${reportPath(hit.address)}`,
  };
}

/** The operator's list that has the address. Throws unavailable until each list was read once. */
export const listOf = async (system: System, address: Address): Promise<string | null> =>
  findListed(await listsOf(system), [address])?.list ?? null;

/** Which of `payees` are on a list of the operator, by what was read so far. */
export async function deniedAmong(
  system: System,
  payees: readonly Address[],
): Promise<{ address: Address; list: string }[]> {
  const state = stateOf(system);
  if (state.triedAtMs === Number.NEGATIVE_INFINITY) await reload(system);
  const lists = [...state.lists.values()];
  return payees.flatMap((payee) => findListed(lists, [payee]) ?? []);
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
  // Not a job: those run in one process, and each has the lists in its memory.
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
