import { ownMember } from "../own";
import { type ImageFault, type Sides, type Size, type StillImage, sideFault } from "./image";
import { orientationOf } from "./orientation";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** The chunks that are kept, with their maximum length in bytes. A longer chunk is invalid. */
const KEPT: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 768,
  IDAT: 2 ** 31 - 1,
  IEND: 0,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  sBIT: 4,
  bKGD: 6,
  pHYs: 9,
};

export const isPng = (file: Buffer): boolean => file.subarray(0, 8).equals(SIGNATURE);

/** Source: PNG (Third Edition), 5. Throws a RangeError of Buffer if the file is cut off. */
export function readPng(file: Buffer, sides: Sides): StillImage | ImageFault {
  const chunks: Buffer[] = [SIGNATURE];
  let size: Size | null = null;
  let hasPixels = false;
  for (let index = 8; ; ) {
    const length = file.readUInt32BE(index);
    const type = file.toString("latin1", index + 4, index + 8);
    const end = index + 12 + length;
    if (end > file.length || (size === null) !== (type === "IHDR")) return "damaged";
    if (size === null) {
      if (length !== 13) return "damaged";
      size = { width: file.readUInt32BE(index + 8), height: file.readUInt32BE(index + 12) };
      const fault = sideFault(size, sides);
      if (fault) return fault;
    }
    if (type === "acTL") return "animated";
    if (type === "eXIf" && orientationOf(file.subarray(index + 8, end - 4)) !== 1) return "rotated";
    if (type === "IDAT") hasPixels = true;
    if (length <= (ownMember(KEPT, type) ?? -1)) chunks.push(file.subarray(index, end));
    if (type === "IEND")
      return hasPixels && length === 0 ? { type: "image/png", bytes: Buffer.concat(chunks), ...size } : "damaged";
    index = end;
  }
}
