import type { ImageFault, Sides, StillImage } from "./image";
import { isJpeg, readJpeg } from "./jpeg";
import { isPng, readPng } from "./png";
import { isWebp, readWebp } from "./webp";

/**
 * Rebuilds a PNG, JPEG or WebP from its drawing data, or returns the fault. Ignores the file's name and declared type. A file that is
 * valid in two formats keeps only the detected one; browsers get it with that type and nosniff. Pixels are not decoded.
 */
export function readImage(file: Buffer, sides: Sides): StillImage | ImageFault {
  try {
    if (isPng(file)) return readPng(file, sides);
    if (isJpeg(file)) return readJpeg(file, sides);
    return isWebp(file) ? readWebp(file, sides) : "type";
  } catch (error) {
    // Read beyond the end: the file is cut off.
    if (error !== null && typeof error === "object" && "code" in error && CUT_OFF.has(String(error.code)))
      return "damaged";
    throw error;
  }
}

/** What Buffer throws for a read beyond its end. */
const CUT_OFF = new Set(["ERR_OUT_OF_RANGE", "ERR_BUFFER_OUT_OF_BOUNDS"]);
