import { type ImageFault, type Sides, type Size, type StillImage, sideFault } from "./image";
import { isExif, orientationOf } from "./orientation";

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
/** Baseline, extended and progressive frames: the kinds that browsers draw. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
/** Huffman and quantization tables, restart interval. */
const TABLES = new Set([0xc4, 0xdb, 0xdd]);

export const isJpeg = (file: Buffer): boolean => file.length > 3 && file.readUInt32BE(0) >>> 8 === 0xffd8ff;

/** Source: ITU-T T.81, B; T.871 for JFIF. Throws a RangeError of Buffer if the file is cut off. */
export function readJpeg(file: Buffer, sides: Sides): StillImage | ImageFault {
  const segments: Buffer[] = [Buffer.from([0xff, START])];
  let size: Size | null = null;
  let hasScan = false;
  for (let index = 2; ; ) {
    if (file.readUInt8(index) !== 0xff) return "damaged";
    const marker = file.readUInt8(index + 1);
    // A marker can be preceded by any number of 0xff fill bytes.
    if (marker === 0xff) {
      index += 1;
      continue;
    }
    if (marker === END) {
      segments.push(Buffer.from([0xff, END]));
      return size && hasScan ? { type: "image/jpeg", bytes: Buffer.concat(segments), ...size } : "damaged";
    }
    if (OTHER_FRAMES.has(marker)) return "type";
    // Markers without a segment are valid only inside a scan.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= START)) return "damaged";
    const end = index + 2 + file.readUInt16BE(index + 2);
    if (end > file.length || end < index + 4) return "damaged";
    const data = file.subarray(index + 4, end);
    if (FRAMES.has(marker)) {
      if (size !== null) return "damaged";
      size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) };
      const fault = sideFault(size, sides);
      if (fault) return fault;
    }
    if (marker === APP1 && isExif(data) && orientationOf(data) !== 1) return "rotated";
    const next = marker === SCAN ? endOfScan(file, end) : end;
    if (marker === SCAN) hasScan = true;
    // The Adobe segment states how colours are coded (T.872, 6.5.3). Its length is fixed.
    const isColour = marker === APP14 && data.length === 12 && data.toString("latin1", 0, 5) === "Adobe";
    if (marker === APP0 && data.subarray(0, 5).equals(JFIF)) {
      // A JFIF segment can hold a smaller copy of the image, from before it was cropped. Keeps version and density.
      const segment = Buffer.alloc(18);
      segment.set([0xff, APP0, 0, 16]);
      data.copy(segment, 4, 0, 12);
      segments.push(segment);
    } else if (FRAMES.has(marker) || TABLES.has(marker) || marker === SCAN || isColour) {
      segments.push(file.subarray(index, next));
    }
    index = next;
  }
}

const JFIF = Buffer.from("JFIF\0", "latin1");

/** The index of the next marker outside the compressed data. */
function endOfScan(file: Buffer, from: number): number {
  for (let index = from; ; index++) {
    if (file.readUInt8(index) !== 0xff) continue;
    const next = file.readUInt8(index + 1);
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return index;
  }
}
