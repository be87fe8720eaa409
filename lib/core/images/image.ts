export type ImageType = "image/png" | "image/jpeg" | "image/webp";

/** Sides in pixels. */
export type Size = { width: number; height: number };

/** A still image of nothing but what draws it: no metadata, no comments, nothing after its end. */
export type StillImage = Size & { type: ImageType; bytes: Buffer };

/**
 * Why a file is refused. `type`: no PNG, JPEG or WebP, or a kind of them that browsers do not draw. `damaged`: cut off, or its
 * structure is broken. `rotated`: its metadata says to turn or mirror it, and metadata is not kept. `too_small`, `too_large`: a side.
 */
export const IMAGE_FAULTS = ["type", "damaged", "animated", "rotated", "too_small", "too_large"] as const;
export type ImageFault = (typeof IMAGE_FAULTS)[number];

/** The shortest and the longest side that is allowed, in pixels. */
export type Sides = { min: number; max: number };

export const isFault = (result: StillImage | ImageFault): result is ImageFault => typeof result === "string";

export function sideFault({ width, height }: Size, { min, max }: Sides): ImageFault | null {
  if (Math.min(width, height) < min) return "too_small";
  return Math.max(width, height) > max ? "too_large" : null;
}
