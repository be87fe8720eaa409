import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { System } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { type Drawing, type Drawn, openThread } from "./thread";

const KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** How long a request waits for its picture. Drawing continues after that, for the next request. */
const WAIT_MS = 3_000;
/** The default picture, served while a link's own is not drawn (dev/docs/plain-picture.tsx). */
export const PLAIN_FILE = "lib/links/pictures/plain.png";

const shared = {
  kept: keepBytes(KEPT_BYTES_MAX),
  thread: openThread(),
  underway: new Map<string, Promise<ArrayBuffer | null>>(),
  plain: null as Promise<ArrayBuffer> | null,
};

export type PictureRequest = {
  /** Cache key: equal for equal pictures. */
  key: string;
  /** In order of preference: each is tried if those before it cannot be drawn. */
  drawings: readonly (() => Promise<Drawing | null>)[];
  /** The client's address. */
  caller: string;
};

/** A PNG. `isOwn` is false for the default picture: drawing failed or was late, the queue is full, or `caller` is over its limit. */
export async function readPicture(
  system: System,
  request: PictureRequest,
): Promise<{ png: ArrayBuffer; isOwn: boolean }> {
  const ownPicture = shared.kept.get(request.key) ?? (await within(WAIT_MS, drawOnce(system, request)));
  if (ownPicture) return { png: ownPicture, isOwn: true };
  shared.plain ??= readFile(join(process.cwd(), PLAIN_FILE)).then((bytes) => new Uint8Array(bytes).buffer);
  return { png: await shared.plain, isOwn: false };
}

/** Concurrent requests for the same picture share one drawing. */
function drawOnce(system: System, request: PictureRequest): Promise<ArrayBuffer | null> {
  const { underway } = shared;
  const pendingWork = underway.get(request.key);
  if (pendingWork) return pendingWork;
  const work = drawFirst(system, request)
    .catch((err: unknown) => {
      system.log.warn({ err }, "link_picture.failed");
      return null;
    })
    .finally(() => underway.delete(request.key));
  underway.set(request.key, work);
  return work;
}

async function drawFirst(system: System, { key, drawings, caller }: PictureRequest): Promise<ArrayBuffer | null> {
  if ((await takeTurn(system, "picture_drawing_per_address", caller)) !== null) return null;
  for (const readDrawing of drawings) {
    const drawing = await readDrawing();
    if (!drawing) continue;
    const result: Drawn = await shared.thread.draw(drawing);
    if (result.type === "busy") return null;
    if (result.type === "drawn") {
      shared.kept.set(key, result.png);
      return result.png;
    }
    system.log.warn({ key, reason: result.reason }, "link_picture.not_drawn");
  }
  return null;
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** An LRU cache of at most `bytesMax` bytes in total. */
export function keepBytes(bytesMax: number) {
  const buffers = new Map<string, ArrayBuffer>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= buffers.get(key)?.byteLength ?? 0;
    buffers.delete(key);
  }

  return {
    get(key: string): ArrayBuffer | null {
      const value = buffers.get(key);
      if (!value) return null;
      buffers.delete(key);
      buffers.set(key, value);
      return value;
    },
    set(key: string, value: ArrayBuffer): void {
      forget(key);
      if (value.byteLength > bytesMax) return;
      buffers.set(key, value);
      bytes += value.byteLength;
      for (const oldest of buffers.keys()) {
        if (bytes <= bytesMax) break;
        forget(oldest);
      }
    },
  };
}
