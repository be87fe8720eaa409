import { describe, expect, test } from "vitest";
import {
  chunk,
  exifOf,
  exifSegment,
  extendedChunk,
  JPEG_END,
  JPEG_START,
  jpegFrame,
  jpegOf,
  jpegScan,
  losslessChunk,
  PNG_END,
  PNG_SIGNATURE,
  pngHeader,
  pngOf,
  riff,
  segment,
  webpFile,
  webpOf,
} from "@/tests/support/images";
import { isFault } from "./image";
import { readImage } from "./read";

const SIDES = { min: 8, max: 2_048 };
const read = (file: Buffer) => readImage(file, SIDES);
const bytesOf = (file: Buffer): Buffer => {
  const image = read(file);
  if (isFault(image)) throw new Error(image);
  return image.bytes;
};

const SCRIPT = Buffer.from("<script>alert(1)</script>");
const lossy = (width: number, height: number) => {
  const data = Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 0, 0, 0, 0]);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return riff("VP8 ", data);
};

describe("reading an image", () => {
  test.each([
    ["image/png", pngOf(10, 20)],
    ["image/jpeg", jpegOf(10, 20)],
    ["image/webp", webpOf(10, 20)],
    ["image/webp", webpFile(lossy(10, 20))],
    ["image/webp", webpFile(extendedChunk(0x10, 10, 20), riff("ALPH", Buffer.from([1, 2, 3])), lossy(10, 20))],
  ])("keeps a plain %s file unchanged, and returns its size", (type, file) =>
    expect(read(file)).toEqual({ type, bytes: file, width: 10, height: 20 }),
  );

  test.each([
    [
      "PNG",
      pngOf(9, 9, { middle: [chunk("tEXt", SCRIPT), chunk("eXIf", exifOf(1)), chunk("bKGD", SCRIPT)] }),
      pngOf(9),
    ],
    [
      "JPEG",
      jpegOf(9, 9, [
        ...[exifSegment(exifOf(1)), segment(0xe1, SCRIPT), segment(0xe2, SCRIPT), segment(0xed, SCRIPT)],
        ...[segment(0xfe, SCRIPT), segment(0xe0, SCRIPT), segment(0xee, SCRIPT), segment(0xf1, SCRIPT)],
      ]),
      jpegOf(9),
    ],
    [
      "WebP",
      webpFile(
        extendedChunk(0x2c, 9),
        losslessChunk(9),
        riff("EXIF", exifOf(1, "II")),
        riff("XMP ", SCRIPT),
        riff("ICCP", SCRIPT),
      ),
      webpFile(extendedChunk(0, 9), losslessChunk(9)),
    ],
  ])("removes from a %s file its location, unknown parts, and bytes after its end", (_, file, plain) => {
    expect(bytesOf(file)).toEqual(plain);
    expect(bytesOf(Buffer.concat([file, SCRIPT]))).toEqual(plain);
    expect(file.includes("script")).toBe(true);
  });

  test("removes the thumbnail from the JFIF header of a JPEG, and keeps version and density", () => {
    const head = Buffer.from([...Buffer.from("JFIF\0", "latin1"), 1, 2, 1, 0, 72, 0, 72]);
    const jfif = (...rest: number[]) => segment(0xe0, Buffer.concat([head, Buffer.from(rest)]));
    expect(bytesOf(jpegOf(9, 9, [jfif(1, 1, 10, 20, 30)]))).toEqual(jpegOf(9, 9, [jfif(0, 0)]));
  });

  test("keeps the color encoding of a JPEG, and accepts fill bytes", () => {
    const adobe = segment(0xee, Buffer.from([...Buffer.from("Adobe", "latin1"), 0, 100, 0, 0, 0, 0, 1]));
    expect(bytesOf(jpegOf(9, 9, [adobe]))).toEqual(jpegOf(9, 9, [adobe]));
    expect(bytesOf(jpegOf(9, 9, [Buffer.from([0xff, 0xff])]))).toEqual(jpegOf(9));
  });

  test.each([2, 3, 4, 5, 6, 7, 8].flatMap((way) => [[way, "II"] as const, [way, "MM"] as const]))(
    "refuses a file that its metadata rotates (%i, %s), because without the metadata it would lie on its side",
    (way, order) => {
      const exif = exifOf(way, order);
      expect(read(jpegOf(9, 9, [exifSegment(exif)]))).toBe("rotated");
      expect(read(pngOf(9, 9, { middle: [chunk("eXIf", exif)] }))).toBe("rotated");
      expect(read(webpFile(extendedChunk(8, 9), losslessChunk(9), riff("EXIF", exif)))).toBe("rotated");
      const prefixed = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exif]);
      expect(read(webpFile(extendedChunk(8, 9), losslessChunk(9), riff("EXIF", prefixed)))).toBe("rotated");
    },
  );

  test("treats unreadable Exif data as no rotation", () => {
    for (const exif of [
      exifOf(6).subarray(0, 12),
      exifOf(0),
      exifOf(9),
      Buffer.from("MM\0*\xff\xff\xff\xff", "latin1"),
    ])
      expect(bytesOf(jpegOf(9, 9, [exifSegment(exif)]))).toEqual(jpegOf(9));
    // The entry with the orientation ends at byte 22.
    const every = exifOf(6);
    for (let length = 0; length <= every.length; length++) {
      const image = read(jpegOf(9, 9, [exifSegment(every.subarray(0, length))]));
      expect([length, isFault(image)]).toEqual([length, length >= 22]);
    }
  });
});

describe("an image file is refused for", () => {
  test.each<[string, Buffer, string]>([
    ["nothing", Buffer.alloc(0), "type"],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>"), "type"],
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"), "type"],
    ["a GIF", Buffer.from("GIF89a"), "type"],
    ["HTML behind the signature of a PNG", Buffer.concat([PNG_SIGNATURE, SCRIPT]), "damaged"],
    ["HTML behind the header of a PNG", Buffer.concat([PNG_SIGNATURE, pngHeader(9, 9), SCRIPT]), "damaged"],
    ["a PNG without pixels", Buffer.concat([PNG_SIGNATURE, pngHeader(9, 9), PNG_END]), "damaged"],
    ["a PNG with two headers", pngOf(9, 9, { middle: [pngHeader(9, 9)] }), "damaged"],
    ["a PNG without a header", Buffer.concat([PNG_SIGNATURE, PNG_END]), "damaged"],
    ["an animated PNG", pngOf(9, 9, { middle: [chunk("acTL", Buffer.alloc(8))] }), "animated"],
    ["a JPEG without a frame", Buffer.concat([JPEG_START, jpegScan(9, 9), JPEG_END]), "damaged"],
    ["a JPEG without a scan", Buffer.concat([JPEG_START, jpegFrame(9, 9), JPEG_END]), "damaged"],
    ["a JPEG with two frames", jpegOf(9, 9, [jpegFrame(9, 9)]), "damaged"],
    [
      "a JPEG whose segment has no length",
      Buffer.concat([JPEG_START, Buffer.from([0xff, 0xdb, 0, 1, 0, 0])]),
      "damaged",
    ],
    ["a JPEG without loss", jpegOf(9, 9, [jpegFrame(9, 9, 0xc3)]), "type"],
    ["HTML behind the start of a JPEG", Buffer.concat([JPEG_START, Buffer.from([0xff]), SCRIPT]), "damaged"],
    ["an animated WebP", webpFile(extendedChunk(2, 9), riff("ANIM", Buffer.alloc(6)), losslessChunk(9)), "animated"],
    ["a WebP with frames", webpFile(losslessChunk(9), riff("ANMF", Buffer.alloc(16))), "animated"],
    ["a WebP without pixels", webpFile(extendedChunk(0, 9)), "damaged"],
    ["a WebP with two images", webpFile(losslessChunk(9), losslessChunk(9)), "damaged"],
    ["a WebP with a canvas of another size", webpFile(extendedChunk(0, 10), losslessChunk(9)), "damaged"],
    ["a WebP whose pixels are HTML", webpFile(riff("VP8 ", SCRIPT)), "damaged"],
    ["a WebP whose lossless pixels are HTML", webpFile(riff("VP8L", SCRIPT)), "damaged"],
  ])("%s", (_, file, fault) => expect(read(file)).toBe(fault));

  test.each<[string, Buffer]>([
    ["PNG", Buffer.concat([PNG_SIGNATURE, pngHeader(2_049, 9)])],
    ["PNG, with the largest sides that it can name", Buffer.concat([PNG_SIGNATURE, pngHeader(0xffffffff, 0xffffffff)])],
    ["JPEG", jpegOf(9, 9, [jpegFrame(9, 65_535)])],
    ["WebP", webpFile(lossy(9, 16_383))],
    ["lossless WebP", webpOf(16_384, 9)],
    ["WebP with a canvas", webpFile(extendedChunk(0, 16_777_216), losslessChunk(9))],
  ])("a side that is too long, before any pixel is decoded: %s", (_, file) => expect(read(file)).toBe("too_large"));

  test("a side that is too short", () => {
    for (const file of [
      pngOf(7, 9),
      jpegOf(9, 7),
      webpOf(7, 9),
      webpFile(lossy(0, 9)),
      jpegOf(9, 9, [jpegFrame(9, 0)]),
    ])
      expect(read(file)).toBe("too_small");
    expect([pngOf(8), jpegOf(8), webpOf(8)].map(read).some(isFault)).toBe(false);
  });

  test("a cut at any byte", () => {
    for (const file of [pngOf(9), jpegOf(9), webpOf(9), webpFile(lossy(9, 9))])
      for (let length = 0; length < file.length; length++)
        expect(["damaged", "type"]).toContain(read(file.subarray(0, length)));
  });
});
