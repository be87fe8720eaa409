export type ImageType = "image/png" | "image/jpeg" | "image/webp";

/** Sides in pixels. */
export type Size = { width: number; height: number };

/** A still image reduced to its drawing data: no metadata, no comments, no bytes after its end. */
export type StillImage = Size & { type: ImageType; bytes: Buffer };

/**
 * Why a file is refused. `type`: not a PNG, JPEG or WebP that browsers draw. `damaged`: truncated or malformed. `rotated`: its metadata
 * requests rotation or mirroring, and metadata is removed. `too_small`, `too_large`: the length of a side.
 */
export const IMAGE_FAULTS = ["type", "damaged", "animated", "rotated", "too_small", "too_large"] as const;
export type ImageFault = (typeof IMAGE_FAULTS)[number];

/** The allowed side lengths, in pixels. */
export type Sides = { min: number; max: number };

export const isFault = (result: StillImage | ImageFault): result is ImageFault => typeof result === "string";

export function sideFault({ width, height }: Size, { min, max }: Sides): ImageFault | null {
  if (Math.min(width, height) < min) return "too_small";
  return Math.max(width, height) > max ? "too_large" : null;
}
