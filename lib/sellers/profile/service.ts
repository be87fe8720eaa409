import { createHash } from "node:crypto";
import type { OwnerId } from "@/lib/core/ids";
import { isFault, type StillImage } from "@/lib/core/images/image";
import { readImage } from "@/lib/core/images/read";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { sellerErrors } from "../errors";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from "../limits";
import * as store from "../store";

/** What buyers see of an owner. The domain is verified; the name is not. */
export type Profile = { name: string | null; support: string | null; domain: string | null; logoId: string | null };
export type ProfileEdit = { name?: string | null | undefined; support?: string | null | undefined };

export async function profileOf({ db }: { db: Queryable }, ownerId: OwnerId): Promise<Profile> {
  const { origin, ...profile } = await store.findProfile(db, ownerId);
  return { ...profile, domain: origin === null ? null : new URL(origin).host };
}

export const getProfile = (ctx: Ctx<Owner>): Promise<Profile> => profileOf(ctx, ctx.actor.ownerId);

export async function updateProfile(ctx: Ctx<Owner>, { name, support }: ProfileEdit): Promise<Profile> {
  const set = { ...(name !== undefined && { name }), ...(support !== undefined && { support }) };
  if (Object.keys(set).length > 0) await write(ctx, set);
  return getProfile(ctx);
}

/** Throws logo_invalid, rate_limited. */
export async function setLogo(ctx: Ctx<Owner>, file: Buffer): Promise<Profile> {
  await limit(ctx, "logo_per_owner", ctx.actor.ownerId);
  const image = file.length > LOGO_BYTES_MAX ? "too_large" : readImage(file, { min: 1, max: LOGO_SIDE_MAX });
  if (isFault(image)) throw sellerErrors.logo_invalid();
  await write(ctx, { logoId: createHash("sha256").update(image.bytes).digest("hex") }, image);
  return getProfile(ctx);
}

export async function removeLogo(ctx: Ctx<Owner>): Promise<Profile> {
  const { logoId } = await getProfile(ctx);
  if (logoId !== null) await write(ctx, { logoId: null });
  return getProfile(ctx);
}

type Logo = Pick<StillImage, "type" | "bytes">;

/** Throws logo_not_found. */
export async function logo({ db }: System, id: string): Promise<Logo> {
  const row = await store.findLogo(db, id);
  if (!row) throw sellerErrors.logo_not_found();
  return row;
}

async function write(ctx: Ctx<Owner>, set: Partial<Profile>, image?: Logo): Promise<void> {
  const { ownerId } = ctx.actor;
  const time = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const previousProfile = await store.findProfile(tx, ownerId);
    if (image && set.logoId)
      await store.addLogo(tx, { id: set.logoId, type: image.type, bytes: image.bytes, createdAt: time });
    const { domain: _, ...columns } = set;
    await store.upsertProfile(tx, ownerId, columns, time);
    if (previousProfile.logoId !== null && set.logoId !== undefined)
      await store.dropUnusedLogo(tx, previousProfile.logoId);
    const meta = { changed: Object.keys(set) };
    await record(tx, time, { type: "owner.profile_changed", subject: ownerId, ownerId, meta });
  });
}
