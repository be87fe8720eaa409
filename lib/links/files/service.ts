import { createHash } from "node:crypto";
import { getOwned } from "@/lib/agents/service";
import { type AgentId, type FileId, newId, type OwnerId, type SettlementId } from "@/lib/core/ids";
import { isSameSecret } from "@/lib/core/same-secret";
import { addSeconds, fromUnixSeconds, unixSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { keysFor } from "@/lib/platform/secrets";
import { linkErrors } from "../errors";
import { assertRoom, takeRoom } from "../room";
import { FILE_BYTES_MAX } from "./limits";
import { streamOf } from "./open-downloads";
import { attachment, type LinkFile } from "./rules";
import * as store from "./store";

export type { LinkFile } from "./rules";

/** Bytes per row of a stored file. */
const CHUNK_BYTES = 256 * 1024;
/** Validity of a download URL. */
const URL_SECONDS = 3_600;
/** How long a file is kept that no link uses and nobody has bought. */
const UNUSED_SECONDS = 86_400;

type Upload = { name: string; body: ReadableStream<Uint8Array> | null; declaredBytes: number };

/**
 * Stores a file for the owner's links. Writes it as it arrives, so that no process holds it in memory; the file counts towards the
 * owner's storage once it is complete. Throws agent_not_found, FILE_EMPTY, FILES_FULL, body_too_large, rate_limited.
 */
export async function upload(
  ctx: Ctx<Owner>,
  agentId: AgentId,
  { name, body, declaredBytes }: Upload,
): Promise<LinkFile> {
  const { db } = ctx;
  const { ownerId } = ctx.actor;
  await getOwned(ctx, agentId);
  await limit(ctx, "file_per_owner", ownerId);
  if (declaredBytes > FILE_BYTES_MAX) throw edgeErrors.body_too_large({ bytesMax: FILE_BYTES_MAX });
  await assertRoom(db, ownerId, 1);
  const fileId = newId("file");
  await store.begin(db, { fileId, ownerId, name, createdAt: ctx.now() });
  try {
    const written = await write(ctx, fileId, body);
    if (written.bytes === 0) throw linkErrors.FILE_EMPTY();
    return await db.transaction(async (tx) => {
      await takeRoom(tx, ownerId, written.bytes);
      return store.complete(tx, fileId, { ...written, completedAt: ctx.now() });
    });
  } catch (error) {
    // If this fails, the job for old rows deletes the file later.
    await store.drop(db, [fileId]).catch((err: unknown) => ctx.log.warn({ err, fileId }, "link_file.deletion_failed"));
    throw error;
  }
}

/** Writes a stream in rows of CHUNK_BYTES. Counts the received bytes, not the declared size, and stops above FILE_BYTES_MAX. */
async function write({ db }: System, fileId: FileId, body: Upload["body"]): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let [bytes, place] = [0, 0];
  let bufferedParts: Uint8Array[] = [];
  let heldBytes = 0;
  const flush = async () => {
    const all = Buffer.concat(bufferedParts);
    for (let from = 0; from < all.length; from += CHUNK_BYTES)
      await store.addChunk(db, fileId, place++, all.subarray(from, from + CHUNK_BYTES));
    [bufferedParts, heldBytes] = [[], 0];
  };
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > FILE_BYTES_MAX) {
      await reader?.cancel();
      throw edgeErrors.body_too_large({ bytesMax: FILE_BYTES_MAX });
    }
    hash.update(part.value);
    bufferedParts.push(part.value);
    heldBytes += part.value.byteLength;
    if (heldBytes >= CHUNK_BYTES) await flush();
  }
  if (heldBytes > 0) await flush();
  return { bytes, sha256: hash.digest("hex") };
}

type Given = { fileId: FileId; ownerId: OwnerId };

/** Marks an owner's file as used by a link. Call this in the transaction that writes the link. Throws FILE_NOT_FOUND. */
export async function attach(tx: Tx, fileRef: Given): Promise<LinkFile> {
  const file = await store.use(tx, fileRef);
  if (!file) throw linkErrors.FILE_NOT_FOUND();
  return file;
}

/** Replaces a link's file; null removes it. The link must be locked. Throws FILE_NOT_FOUND. */
export async function exchange(
  tx: Tx,
  old: LinkFile | null,
  replacement: Given | null,
  time: Date,
): Promise<LinkFile | null> {
  await store.lock(tx, [...(old ? [old.fileId] : []), ...(replacement ? [replacement.fileId] : [])]);
  if (old) await release(tx, old, time);
  return replacement && (await attach(tx, replacement));
}

/** Call this in the transaction that removes the file from a link. The file is deleted later unless a link or a buyer still needs it. */
export const release = (tx: Tx, { fileId }: LinkFile, time: Date): Promise<void> => store.mark(tx, [fileId], time);

/** A purchased file, with a URL that is valid until `urlExpiresAt`. */
export type SoldFile = Omit<LinkFile, "fileId"> & { url: string; urlExpiresAt: Date };

/** Signs a download URL of the file for one sale. The caller must have authenticated the buyer. */
export async function signed(system: System, sale: SettlementId, { fileId, ...file }: LinkFile): Promise<SoldFile> {
  const urlExpiresAt = fromUnixSeconds(unixSeconds(addSeconds(system.now(), URL_SECONDS)));
  const expires = String(unixSeconds(urlExpiresAt));
  const signature = await signatureOf(system, { sale, fileId, expires });
  const query = new URLSearchParams({ sale, expires, signature });
  return { ...file, urlExpiresAt, url: `${system.config.baseUrl}/api/payment-links/files/${fileId}?${query}` };
}

/** `disposition`: the header that saves the file under its name. */
export type Download = { bytes: number; disposition: string; stream: ReadableStream<Uint8Array> };

/** The file behind a URL from `signed`. Throws FILE_NOT_FOUND, FILE_URL_EXPIRED, rate_limited. */
export async function download(
  system: System,
  fileId: FileId,
  { caller, sale, expires, signature }: { caller: string; sale: SettlementId; expires: string; signature: string },
): Promise<Download> {
  if (!isSameSecret(signature, await signatureOf(system, { sale, fileId, expires }))) throw linkErrors.FILE_NOT_FOUND();
  if (Number(expires) <= unixSeconds(system.now())) throw linkErrors.FILE_URL_EXPIRED();
  const file = await store.find(system.db, fileId);
  if (!file) throw linkErrors.FILE_NOT_FOUND();
  return {
    bytes: file.bytes,
    disposition: attachment(file.name),
    stream: streamOf({ caller, sale }, partsOf(system, file)),
  };
}

type DownloadUrl = { sale: SettlementId; fileId: FileId; expires: string };

const signatureOf = async (system: System, { sale, fileId, expires }: DownloadUrl): Promise<string> =>
  (await keysFor(system, "file of a sale"))(`${sale}.${fileId}.${expires}`);

/** One row at a time. */
async function* partsOf({ db }: System, { fileId, bytes }: LinkFile): AsyncGenerator<Uint8Array> {
  for (let [place, sentBytes] = [0, 0]; sentBytes < bytes; place++) {
    const part = await store.chunk(db, fileId, place);
    if (!part) throw new Error(`${fileId} ends after ${sentBytes} bytes`);
    sentBytes += part.length;
    yield new Uint8Array(part);
  }
}

/**
 * Checks up to `limit` files that have been unused for UNUSED_SECONDS and deletes those that nothing needs; returns how many it
 * checked.
 */
export const forgetUnused = ({ db, now }: System, limit: number): Promise<number> =>
  store.forgetUnused(db, { cutoff: addSeconds(now(), -UNUSED_SECONDS), time: now() }, limit);
