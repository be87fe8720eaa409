import { LOGO_SIDE_MAX } from "./limits";

/** A picture without anything but its pixels: no metadata, no comments, nothing after its end. */
export type Picture = { type: "image/png" | "image/jpeg" | "image/webp"; bytes: Buffer };

/**
 * Rebuilds a PNG, JPEG or WebP from the parts that draw it; null if it is none, is animated, is damaged in its structure or
 * has a side above LOGO_SIDE_MAX. The file's own name and type are not trusted, and a file that is two formats at once
 * loses the second: browsers get it with this type and nosniff.
 */
export function pictureOf(file: Buffer): Picture | null {
  try {
    return png(file) ?? jpeg(file) ?? webp(file);
  } catch (thrown) {
    // Read beyond the end: the file is cut off.
    if (thrown !== null && typeof thrown === "object" && "code" in thrown && CUT_OFF.has(String(thrown.code)))
      return null;
    throw thrown;
  }
}

/** What Buffer throws for a read beyond its end. */
const CUT_OFF = new Set(["ERR_OUT_OF_RANGE", "ERR_BUFFER_OUT_OF_BOUNDS"]);

const isSide = (pixels: number): boolean => pixels >= 1 && pixels <= LOGO_SIDE_MAX;

const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const PNG_KEPT = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "pHYs"]);

/** Source: PNG (Third Edition), 5. */
function png(file: Buffer): Picture | null {
  if (!file.subarray(0, 8).equals(PNG_SIGNATURE)) return null;
  const kept: Buffer[] = [PNG_SIGNATURE];
  for (let at = 8, isFirst = true; ; isFirst = false) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > file.length || isFirst !== (type === "IHDR") || type === "acTL") return null;
    if (isFirst && !(length === 13 && isSide(file.readUInt32BE(at + 8)) && isSide(file.readUInt32BE(at + 12))))
      return null;
    if (PNG_KEPT.has(type)) kept.push(file.subarray(at, end));
    if (type === "IEND") return { type: "image/png", bytes: Buffer.concat(kept) };
    at = end;
  }
}

/** Source: ITU-T T.81, B. */
function jpeg(file: Buffer): Picture | null {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return null;
  const kept: Buffer[] = [file.subarray(0, 2)];
  let hasSize = false;
  for (let at = 2; ; ) {
    if (file.readUInt8(at) !== 0xff) return null;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xd9) {
      kept.push(file.subarray(at, at + 2));
      return hasSize ? { type: "image/jpeg", bytes: Buffer.concat(kept) } : null;
    }
    // Frames, tables, restart intervals, scans, and what applications and people add.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) return null;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (end > file.length) return null;
    const isFrame = marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      if (hasSize || !isSide(file.readUInt16BE(at + 5)) || !isSide(file.readUInt16BE(at + 7))) return null;
      hasSize = true;
    }
    // APP0 (JFIF) and APP14 (how colours are coded) affect the pixels; the others and comments do not.
    const isExtra = (marker >= 0xe1 && marker <= 0xef && marker !== 0xee) || marker === 0xfe;
    const next = marker === 0xda ? endOfScan(file, end) : end;
    if (!isExtra) kept.push(file.subarray(at, next));
    at = next;
  }
}

/** The next marker that is not a part of the compressed data. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = from; ; at++) {
    if (file.readUInt8(at) !== 0xff) continue;
    const next = file.readUInt8(at + 1);
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

/** The bits of VP8X for what is removed: colour profile, Exif, XMP. */
const WEBP_REMOVED = 0x20 | 0x08 | 0x04;

/** Source: RFC 9649, 2. */
function webp(file: Buffer): Picture | null {
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WEBP") return null;
  const whole = file.readUInt32LE(4) + 8;
  if (whole > file.length) return null;
  const kept: Buffer[] = [];
  let hasPixels = false;
  for (let at = 12; at < whole; ) {
    const type = file.toString("latin1", at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > whole || type === "ANIM" || type === "ANMF") return null;
    const chunk = Buffer.from(file.subarray(at, end));
    if (type === "VP8X") {
      if (length !== 10 || !isSide(chunk.readUIntLE(12, 3) + 1) || !isSide(chunk.readUIntLE(15, 3) + 1)) return null;
      chunk.writeUInt8(chunk.readUInt8(8) & ~WEBP_REMOVED, 8);
    }
    if (type === "VP8 " && !(isSide(chunk.readUInt16LE(14) & 0x3fff) && isSide(chunk.readUInt16LE(16) & 0x3fff)))
      return null;
    if (type === "VP8L") {
      const size = chunk.readUInt32LE(9);
      if (!isSide((size & 0x3fff) + 1) || !isSide(((size >>> 14) & 0x3fff) + 1)) return null;
    }
    if (type === "VP8 " || type === "VP8L") hasPixels = true;
    if (["VP8X", "VP8 ", "VP8L", "ALPH"].includes(type)) kept.push(chunk);
    at = end;
  }
  if (!hasPixels) return null;
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...kept]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return { type: "image/webp", bytes: Buffer.concat([head, body]) };
}
