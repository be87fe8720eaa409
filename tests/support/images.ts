import { deflateSync } from "node:zlib";

/** Images of one grey, byte by byte, so that tests can add, cut and change their parts. */

export function crc32(data: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
}

export const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
export const PNG_END = chunk("IEND", Buffer.alloc(0));
/** Eight bits of grey a pixel. */
export const pngHeader = (width: number, height: number): Buffer =>
  chunk("IHDR", Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])]));

/** A PNG that any decoder draws, with `middle` between its header and its pixels, and `padding` bytes behind these. */
export function pngOf(
  width: number,
  height = width,
  { grey = 0x66, middle = [] as Buffer[], padding = 0 } = {},
): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)]);
  const compressed = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const pixels = chunk("IDAT", Buffer.concat([compressed, Buffer.alloc(padding)]));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), ...middle, pixels, PNG_END]);
}

export function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export const JPEG_START = Buffer.from([0xff, 0xd8]);
export const JPEG_END = Buffer.from([0xff, 0xd9]);
const u16 = (value: number): Buffer => u32(value).subarray(2);
/** A JPEG frame of one component. `marker`: baseline. */
export const jpegFrame = (width: number, height: number, marker = 0xc0): Buffer =>
  segment(marker, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]));
const QUANTIZATION = segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1));
/** One code of one bit: no difference (DC), end of block (AC). */
const huffman = (tableClass: number) =>
  segment(0xc4, Buffer.concat([Buffer.from([tableClass << 4, 1]), Buffer.alloc(15), Buffer.from([0])]));
const SCAN_HEADER = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));

/** Each block of 8 by 8 pixels is two bits, zero: the middle grey. */
export function jpegScan(width: number, height: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([SCAN_HEADER, Buffer.alloc(Math.ceil(blocks / 4))]);
}

/** A JPEG that any decoder draws, with `middle` before its frame. */
export const jpegOf = (width: number, height = width, middle: Buffer[] = []): Buffer =>
  Buffer.concat([
    ...[JPEG_START, ...middle, QUANTIZATION, jpegFrame(width, height)],
    ...[huffman(0), huffman(1), jpegScan(width, height), JPEG_END],
  ]);

export function riff(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
export const webpFile = (...chunks: Buffer[]): Buffer => riff("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));

/** A lossless image of one colour: each of its five prefix codes has one symbol, so that pixels take no bits. */
export function losslessChunk(width: number, height = width): Buffer {
  const bits: number[] = [];
  const writeBits = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1);
  };
  writeBits(width - 1, 14);
  writeBits(height - 1, 14);
  // No alpha, version 0; no transform, no colour cache, no meta prefix codes.
  writeBits(0, 4);
  writeBits(0, 3);
  for (const symbol of [0x66, 0x66, 0x66, 0xff, 0]) {
    // A simple code of one symbol, of eight bits or of one.
    writeBits(1, 1);
    writeBits(0, 1);
    writeBits(symbol > 1 ? 1 : 0, 1);
    writeBits(symbol, symbol > 1 ? 8 : 1);
  }
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7));
  return riff("VP8L", Buffer.concat([Buffer.from([0x2f]), bytes]));
}
export const extendedChunk = (flags: number, width: number, height = width): Buffer => {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riff("VP8X", data);
};
export const webpOf = (width: number, height = width): Buffer => webpFile(losslessChunk(width, height));

/** Exif data with an orientation and the place where a photo was taken (GPS, 47° north), as a TIFF file. */
export function exifOf(orientation: number, order: "II" | "MM" = "MM"): Buffer {
  const two = (value: number) => (order === "MM" ? u16(value) : Buffer.from(u16(value)).reverse());
  const four = (value: number) => (order === "MM" ? u32(value) : Buffer.from(u32(value)).reverse());
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([two(tag), two(type), four(count), value]);
  const first = [entry(0x0112, 3, 1, Buffer.concat([two(orientation), two(0)])), entry(0x8825, 4, 1, four(38))];
  const gps = [entry(1, 2, 2, Buffer.from("N\0\0\0")), entry(2, 5, 3, four(68))];
  const latitude = Buffer.concat([47, 1, 22, 1, 30, 1].map(four));
  const table = (entries: Buffer[]) => Buffer.concat([two(entries.length), ...entries, four(0)]);
  return Buffer.concat([Buffer.from(order), two(42), four(8), table(first), table(gps), latitude]);
}
export const exifSegment = (exif: Buffer): Buffer =>
  segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exif]));
