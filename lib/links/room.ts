import type { OwnerId } from "@/lib/core/ids";
import type { Queryable, Tx } from "@/lib/platform/db";
import { linkErrors } from "./errors";
import { STORED_BYTES_MAX } from "./files/limits";
import * as store from "./store";

/** Throws FILES_FULL if the owner cannot store `bytes` more. */
export async function assertRoom(db: Queryable, ownerId: OwnerId, bytes: number): Promise<void> {
  if ((await store.storedBytes(db, ownerId)) + bytes > STORED_BYTES_MAX)
    throw linkErrors.FILES_FULL({ bytesMax: STORED_BYTES_MAX });
}

/** `assertRoom` for an upload stored in `tx`: the owner's other uploads wait until `tx` ends. */
export async function takeRoom(tx: Tx, ownerId: OwnerId, bytes: number): Promise<void> {
  await store.lockUploads(tx, ownerId);
  await assertRoom(tx, ownerId, bytes);
}
