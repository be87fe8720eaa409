import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pictureOf } from "./image";

const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
};
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const header = (width: number, height: number) => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([8, 2], 8);
  return chunk("IHDR", data);
};
const PIXELS = chunk("IDAT", deflateSync(Buffer.from([0, 1, 2, 3])));
const END = chunk("IEND", Buffer.alloc(0));
const pngOf = (...middle: Buffer[]) => Buffer.concat([SIGNATURE, header(1, 1), ...middle, PIXELS, END]);

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};
const START = Buffer.from([0xff, 0xd8]);
const FRAME = segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]));
const SCAN = Buffer.concat([
  segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]),
]);
const STOP = Buffer.from([0xff, 0xd9]);
const jpegOf = (...middle: Buffer[]) => Buffer.concat([START, ...middle, FRAME, SCAN, STOP]);

const riff = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};
const webpOf = (...chunks: Buffer[]) => riff("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
const LOSSY = riff("VP8 ", Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, 1, 0, 1, 0]));
const EXTENDED = (flags: number) => riff("VP8X", Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]));

describe("a picture", () => {
  test.each([
    ["image/png", pngOf()],
    ["image/jpeg", jpegOf()],
    ["image/webp", webpOf(LOSSY)],
  ])("%s stays as it is", (type, file) => expect(pictureOf(file)).toEqual({ type, bytes: file }));

  test("loses what does not draw it", () => {
    const script = Buffer.from("<script>alert(1)</script>");
    expect(pictureOf(Buffer.concat([pngOf(chunk("tEXt", script)), script]))?.bytes).toEqual(pngOf());
    const noisy = Buffer.concat([jpegOf(segment(0xe1, script), segment(0xfe, script)), script]);
    expect(pictureOf(noisy)?.bytes).toEqual(jpegOf());
    const tagged = webpOf(EXTENDED(0x2c), LOSSY, riff("EXIF", script), riff("XMP ", script));
    expect(pictureOf(Buffer.concat([tagged, script]))?.bytes).toEqual(webpOf(EXTENDED(0), LOSSY));
  });

  test.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")],
    ["a GIF", Buffer.from("GIF89a")],
    ["a PNG that is cut off", pngOf().subarray(0, 40)],
    ["a PNG that is too wide", Buffer.concat([SIGNATURE, header(2_049, 1), PIXELS, END])],
    ["a PNG without a size", Buffer.concat([SIGNATURE, PIXELS, END])],
    ["an animated PNG", pngOf(chunk("acTL", Buffer.alloc(8)))],
    ["a JPEG that is cut off", jpegOf().subarray(0, 20)],
    ["a JPEG without a frame", Buffer.concat([START, SCAN, STOP])],
    ["an animated WebP", webpOf(EXTENDED(2), riff("ANIM", Buffer.alloc(6)), LOSSY)],
    ["a WebP without pixels", webpOf(EXTENDED(0))],
  ])("is not %s", (_, file) => expect(pictureOf(file)).toBeNull());

  test("is nothing at any cut, and never throws", () => {
    for (const file of [pngOf(), jpegOf(), webpOf(LOSSY)])
      for (let length = 0; length < file.length; length++) expect(pictureOf(file.subarray(0, length))).toBeNull();
  });
});
