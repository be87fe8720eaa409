import { crc32, deflateRawSync, gunzipSync } from "node:zlib";

export type File = { name: string; bytes: Buffer };

const BLOCK = 512;
const textAt = (bytes: Buffer, start: number, length: number) =>
  bytes.toString("utf8", start, start + length).replace(/\0.*$/s, "");

/** The files of a `.tgz` as npm packs it (ustar), without the folder `package/`. */
export function filesIn(archive: Buffer): File[] {
  const tar = gunzipSync(archive);
  const files: File[] = [];
  for (let start = 0; start + BLOCK <= tar.length; ) {
    const [name, prefix] = [textAt(tar, start, 100), textAt(tar, start + 345, 155)];
    const size = Number.parseInt(textAt(tar, start + 124, 12) || "0", 8);
    const isFile = ["0", "\0", ""].includes(tar.toString("latin1", start + 156, start + 157));
    const path = prefix ? `${prefix}/${name}` : name;
    start += BLOCK;
    if (isFile && name) files.push({ name: path.replace(/^package\//, ""), bytes: tar.subarray(start, start + size) });
    start += Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

const DEFLATED = 8;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1 January 1980, the first date of the format: the same files give the same archive. */
const DATE = 0x0021;

/** A zip archive (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
export function zip(files: readonly File[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = Buffer.from(name, "utf8");
    const data = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(FLAGS, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, path, data]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    const version = Buffer.from([VERSION, 0]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), version, common, central, path]));
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, index, end]);
}
