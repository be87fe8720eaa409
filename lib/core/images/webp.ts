import { type ImageFault, type Sides, type Size, type StillImage, sideFault } from "./image";
import { orientationOf } from "./orientation";

const KEPT = new Set(["VP8X", "VP8 ", "VP8L", "ALPH"]);
/** The VP8X flags of removed chunks: colour profile, Exif, XMP. */
const REMOVED = 0x20 | 0x08 | 0x04;
const ANIMATION = 0x02;

export const isWebp = (file: Buffer): boolean =>
  file.toString("latin1", 0, 4) === "RIFF" && file.toString("latin1", 8, 12) === "WEBP";

/** Source: RFC 9649, 2 and 3; RFC 6386, 9.1. Throws a RangeError of Buffer if the file is cut off. */
export function readWebp(file: Buffer, sides: Sides): StillImage | ImageFault {
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
    if (KEPT.has(type)) chunks.push(chunk);
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
