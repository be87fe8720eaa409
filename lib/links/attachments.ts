import { agentById, bind } from "@/lib/agents/service";
import type { AgentId, FileId, ImageId, OwnerId } from "@/lib/core/ids";
import type { Tx } from "@/lib/platform/db";
import { linkErrors } from "./errors";
import * as files from "./files/service";
import * as images from "./images/service";
import type { Link } from "./rules";

/** The file and the image that a request names for a link; null: none. Undefined: it stays as it is. */
export type Wanted = { fileId?: FileId | null | undefined; imageId?: ImageId | null | undefined };
export type Attached = Pick<Link, "file" | "image">;

/**
 * The owner of the agent, whom it keeps from now on: another owner's link must never sell or show what this one uploaded. Like a sale, it
 * locks the agent, so call it before you lock a link. Null if nothing is wanted. Throws FILE_NOT_FOUND or IMAGE_NOT_FOUND without
 * an owner.
 */
export async function uploader(
  tx: Tx,
  agentId: AgentId,
  { fileId, imageId }: Wanted,
  time: Date,
): Promise<OwnerId | null> {
  if (!fileId && !imageId) return null;
  const ownerId = (await agentById(tx, agentId))?.ownerId;
  if (ownerId && (await bind(tx, agentId, ownerId, time))) return ownerId;
  throw fileId ? linkErrors.FILE_NOT_FOUND() : linkErrors.IMAGE_NOT_FOUND();
}

/** For a new link. Throws FILE_NOT_FOUND, IMAGE_NOT_FOUND. */
export async function attach(tx: Tx, ownerId: OwnerId | null, { fileId, imageId }: Wanted): Promise<Attached> {
  return {
    file: fileId && ownerId ? await files.attach(tx, { fileId, ownerId }) : null,
    image: imageId && ownerId ? await images.attach(tx, { imageId, ownerId }) : null,
  };
}

/** What changes for a locked link. Throws FILE_NOT_FOUND, IMAGE_NOT_FOUND. */
export async function exchange(
  tx: Tx,
  link: Link,
  ownerId: OwnerId | null,
  { fileId, imageId }: Wanted,
  time: Date,
): Promise<Partial<Attached>> {
  const file = fileId && ownerId ? { fileId, ownerId } : null;
  const image = imageId && ownerId ? { imageId, ownerId } : null;
  return {
    ...(fileId !== undefined && { file: await files.exchange(tx, link.file, file, time) }),
    ...(imageId !== undefined && { image: await images.exchange(tx, link, image) }),
  };
}

/** Call this in the transaction that deletes the locked link. */
export async function release(tx: Tx, link: Link, time: Date): Promise<void> {
  if (link.file) await files.release(tx, link.file, time);
  if (link.image) await images.exchange(tx, link, null);
}
