/** The longest side of a redrawn image, in pixels: enough for any screen that shows it. */
const SIDE_MAX = 2_000;
/** Larger ones could need more memory than a phone has. */
const BYTES_MAX = 40_000_000;
const SMALLER = 0.7;
const TRIES = 6;

/**
 * Draws a photo again, upright, still and in at most `bytesMax` bytes: what a camera writes is larger than the service takes, and
 * turned by its metadata. Null if this browser cannot read it.
 */
export async function redrawn(file: File, bytesMax: number): Promise<Blob | null> {
  if (file.size > BYTES_MAX || !/^image\/(?:jpeg|png|webp|hei[cf])$/.test(file.type)) return null;
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  try {
    let scale = Math.min(1, SIDE_MAX / Math.max(bitmap.width, bitmap.height));
    for (let attempt = 0; attempt < TRIES; attempt++, scale *= SMALLER) {
      const blob = await draw(bitmap, scale, file.type);
      if (blob && blob.size <= bytesMax) return blob;
    }
    return null;
  } finally {
    bitmap.close();
  }
}

/** Only JPEG has no transparent pixels. A browser that cannot write WebP writes a PNG. */
function draw(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const written = type === "image/png" || type === "image/webp" ? "image/webp" : "image/jpeg";
  return new Promise((resolve) => canvas.toBlob(resolve, written, 0.85));
}
