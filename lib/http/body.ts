import { collector } from "@/lib/core/collect";
import { JsonError } from "@/lib/core/json";
import { edgeErrors } from "./errors";

/** Reads a body declared as JSON as text, of at most `bytesMax` bytes. */
export async function readText(req: Request, bytesMax: number): Promise<string> {
  const type = req.headers.get("content-type");
  if (type && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type.trim()))
    throw edgeErrors.unsupported_media_type();
  return decodeText(await readBytes(req, bytesMax));
}

/** Parses a body's text as JSON; an empty text is an empty object. */
export function jsonOf(text: string, parse: (text: string) => unknown): unknown {
  if (text.trim() === "") return {};
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof JsonError) throw edgeErrors.invalid_json({ message: error.message });
    throw error;
  }
}

/** Throws body_too_large for a request that names a longer body. */
export function assertLength({ headers }: Request, bytesMax: number): void {
  if (Number(headers.get("content-length") ?? 0) > bytesMax) throw edgeErrors.body_too_large({ bytesMax });
}

/**
 * Reads a body. Counts bytes as they arrive and stops at `bytesMax`, whatever content-length says. `count` sees how many there are before
 * each part is kept, and may throw. Throws body_too_large.
 */
export async function readBytes(
  req: Request,
  bytesMax: number,
  count: (bytes: number) => void = () => {},
): Promise<Buffer> {
  assertLength(req, bytesMax);
  const add = collector(bytesMax);
  let bytes: Buffer = Buffer.alloc(0);
  const reader = req.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    try {
      if (bytes.length + part.value.length > bytesMax) throw edgeErrors.body_too_large({ bytesMax });
      count(bytes.length + part.value.length);
    } catch (error) {
      await reader?.cancel();
      throw error;
    }
    bytes = add(part.value);
  }
  return bytes;
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw edgeErrors.invalid_json({ message: "The body is not UTF-8" }, cause);
  }
}
