import { ownMember } from "../own";
import { type ImageFault, type Sides, type Size, type StillImage, sideFault } from "./image";

/**
 * Rebuilds a PNG, JPEG or WebP from its drawing data, or returns the fault. Ignores the file's name and declared type. A file that is
 * valid in two formats keeps only the detected one; browsers get it with that type and nosniff. Pixels are not decoded.
 */
export function readImage(file: Buffer, sides: Sides): StillImage | ImageFault {
  try {
    if (file.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(file, sides);
    if (file.length > 3 && file.readUInt32BE(0) >>> 8 === 0xffd8ff) return readJpeg(file, sides);
    const isWebp = file.toString("latin1", 0, 4) === "RIFF" && file.toString("latin1", 8, 12) === "WEBP";
    return isWebp ? readWebp(file, sides) : "type";
  } catch (error) {
    // Read beyond the end: the file is cut off.
    if (error !== null && typeof error === "object" && "code" in error && CUT_OFF.has(String(error.code)))
      return "damaged";
    throw error;
  }
}

/** What Buffer throws for a read beyond its end. */
const CUT_OFF = new Set(["ERR_OUT_OF_RANGE", "ERR_BUFFER_OUT_OF_BOUNDS"]);

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** The chunks that are kept, with their maximum length in bytes. A longer chunk is invalid. */
const PNG_CHUNKS: Readonly<Record<string, number>> = {
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

/** Source: PNG (Third Edition), 5. Throws a RangeError of Buffer if the file is cut off. */
function readPng(file: Buffer, sides: Sides): StillImage | ImageFault {
  const chunks: Buffer[] = [PNG_SIGNATURE];
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
    if (length <= (ownMember(PNG_CHUNKS, type) ?? -1)) chunks.push(file.subarray(index, end));
    if (type === "IEND")
      return hasPixels && length === 0 ? { type: "image/png", bytes: Buffer.concat(chunks), ...size } : "damaged";
    index = end;
  }
}

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

/** Source: ITU-T T.81, B; T.871 for JFIF. Throws a RangeError of Buffer if the file is cut off. */
function readJpeg(file: Buffer, sides: Sides): StillImage | ImageFault {
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

const WEBP_CHUNKS = new Set(["VP8X", "VP8 ", "VP8L", "ALPH"]);
/** The VP8X flags of removed chunks: colour profile, Exif, XMP. */
const REMOVED = 0x20 | 0x08 | 0x04;
const ANIMATION = 0x02;

/** Source: RFC 9649, 2 and 3; RFC 6386, 9.1. Throws a RangeError of Buffer if the file is cut off. */
function readWebp(file: Buffer, sides: Sides): StillImage | ImageFault {
  const fileEnd = file.readUInt32LE(4) + 8;
  if (fileEnd > file.length) return "damaged";
  const chunks: Buffer[] = [];
  let canvas: Size | null = null;
  let pixels: Size | null = null;
  for (let index = 12; index < fileEnd; ) {
    const type = file.toString("latin1", index, index + 4);
    const length = file.readUInt32LE(index + 4);
    const end = index + 8 + length + (length % 2);
    if (end > fileEnd) return "damaged";
    const chunk = Buffer.from(file.subarray(index, end));
    const data = chunk.subarray(8, 8 + length);
    if (type === "ANIM" || type === "ANMF") return "animated";
    if (type === "EXIF" && orientationOf(data) !== 1) return "rotated";
    if (type === "VP8X") {
      if (length !== 10 || canvas !== null || pixels !== null) return "damaged";
      if (data.readUInt8(0) & ANIMATION) return "animated";
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
      data.writeUInt8(data.readUInt8(0) & ~REMOVED, 0);
    }
    if (type === "VP8 " || type === "VP8L") {
      if (pixels !== null) return "damaged";
      if (type === "VP8 ") {
        // A key frame begins with a three-byte tag, the start code, and both sides with two bits of scaling each.
        if (data.readUIntBE(3, 3) !== 0x9d012a) return "damaged";
        pixels = { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
      } else {
        if (data.readUInt8(0) !== 0x2f) return "damaged";
        const packedSides = data.readUInt32LE(1);
        pixels = { width: (packedSides & 0x3fff) + 1, height: ((packedSides >>> 14) & 0x3fff) + 1 };
      }
    }
    const size: Size | null = pixels ?? canvas;
    const fault = size && sideFault(size, sides);
    if (fault) return fault;
    if (WEBP_CHUNKS.has(type)) chunks.push(chunk);
    index = end;
  }
  if (pixels === null || (canvas && (canvas.width !== pixels.width || canvas.height !== pixels.height)))
    return "damaged";
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return { type: "image/webp", bytes: Buffer.concat([head, body]), ...pixels };
}

const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;
const EXIF_PREFIX = Buffer.from("Exif\0\0", "latin1");

/**
 * The Exif orientation, from 1 to 8; 1 (upright) if it is missing or unreadable. Exif data is a TIFF file; in JPEG, a prefix precedes
 * it. Source: Exif 2.32, 4.6; TIFF 6.0, 2.
 */
function orientationOf(exif: Buffer): number {
  const tiff = isExif(exif) ? exif.subarray(EXIF_PREFIX.length) : exif;
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

const isExif = (data: Buffer): boolean => data.subarray(0, EXIF_PREFIX.length).equals(EXIF_PREFIX);
