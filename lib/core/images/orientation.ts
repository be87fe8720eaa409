const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;
const PREFIX = Buffer.from("Exif\0\0", "latin1");

/**
 * The Exif orientation, from 1 to 8; 1 (upright) if it is missing or unreadable. Exif data is a TIFF file; in JPEG, a prefix precedes
 * it. Source: Exif 2.32, 4.6; TIFF 6.0, 2.
 */
export function orientationOf(exif: Buffer): number {
  const tiff = isExif(exif) ? exif.subarray(PREFIX.length) : exif;
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return 1;
  const short = (index: number) => (order === "II" ? tiff.readUInt16LE(index) : tiff.readUInt16BE(index));
  const first = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (first + 2 > tiff.length) return 1;
  const entries = Math.min(short(first), Math.floor((tiff.length - first - 2) / ENTRY_BYTES));
  for (let entry = 0; entry < entries; entry++) {
    const index = first + 2 + entry * ENTRY_BYTES;
    if (short(index) !== ORIENTATION) continue;
    const value = short(index + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

export const isExif = (data: Buffer): boolean => data.subarray(0, PREFIX.length).equals(PREFIX);
