import { getOwned } from "@/lib/agents/service";
import { type AgentId, type ImageId, type LinkId, newId, type OwnerId } from "@/lib/core/ids";
import { isFault } from "@/lib/core/images/image";
import { readImage } from "@/lib/core/images/read";
import { addSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { linkErrors } from "../errors";
import { assertRoom, takeRoom } from "../room";
import type { LinkImage } from "./image";
import { IMAGE_SIDE_MAX, IMAGE_SIDE_MIN } from "./limits";
import * as store from "./store";

export type { LinkImage } from "./image";

/** How long an image is kept that no link uses. */
const UNUSED_SECONDS = 86_400;

/**
 * Stores an image for the owner's links, keeping only the parts of the file that draw it. `readBytes` runs only after the checks
 * that need no file. Throws agent_not_found, IMAGE_INVALID, FILES_FULL, rate_limited, and what `readBytes` throws.
 */
export async function upload(ctx: Ctx<Owner>, agentId: AgentId, readBytes: () => Promise<Buffer>): Promise<LinkImage> {
  const { ownerId } = ctx.actor;
  await getOwned(ctx, agentId);
  await limit(ctx, "file_per_owner", ownerId);
  await assertRoom(ctx.db, ownerId, 1);
  const sides = { min: IMAGE_SIDE_MIN, max: IMAGE_SIDE_MAX };
  const image = readImage(await readBytes(), sides);
  if (isFault(image)) throw linkErrors.IMAGE_INVALID({ reason: image });
  const { bytes: data, ...shape } = image;
  const added: LinkImage = { imageId: newId("image"), ...shape, bytes: data.length };
  const time = ctx.now();
  await ctx.db.transaction(async (tx) => {
    await takeRoom(tx, ownerId, added.bytes);
    await store.add(tx, { ...added, ownerId, data, createdAt: time, unusedSince: time });
  });
  return added;
}

type Given = { imageId: ImageId; ownerId: OwnerId };

/** Marks an owner's image as used by a link. Call this in the transaction that writes the link. Throws IMAGE_NOT_FOUND. */
export async function attach(tx: Tx, { imageId, ownerId }: Given): Promise<LinkImage> {
  const image = await store.use(tx, imageId, ownerId);
  if (!image) throw linkErrors.IMAGE_NOT_FOUND();
  return image;
}

/** Replaces the image of a locked link; null removes it. Deletes the old image unless another link uses it. Throws IMAGE_NOT_FOUND. */
export async function exchange(
  tx: Tx,
  { linkId, image: old }: { linkId: LinkId; image: LinkImage | null },
  replacement: Given | null,
): Promise<LinkImage | null> {
  await store.lock(tx, [...(old ? [old.imageId] : []), ...(replacement ? [replacement.imageId] : [])]);
  const image = replacement && (await attach(tx, replacement));
  if (old && old.imageId !== image?.imageId) await store.dropUnlessUsed(tx, old.imageId, linkId);
  return image;
}

/** An image, or null once it is deleted. */
export const find = ({ db }: System, imageId: ImageId): Promise<store.ImageData | null> => store.find(db, imageId);

/** Throws IMAGE_NOT_FOUND. */
export async function get(system: System, imageId: ImageId): Promise<store.ImageData> {
  const image = await find(system, imageId);
  if (!image) throw linkErrors.IMAGE_NOT_FOUND();
  return image;
}

/** Deletes up to `limit` images that no link has used within UNUSED_SECONDS of their upload; returns how many. */
export const forgetUnused = ({ db, now }: System, limit: number): Promise<number> =>
  store.forgetUnused(db, addSeconds(now(), -UNUSED_SECONDS), limit);
