import { describe, expect, test } from "vitest";
import { AppError } from "@/lib/core/errors";
import { parseJson } from "@/lib/core/json";
import { jsonOf, readBytes, readText } from "./body";

const readJson = async (req: Request, bytesMax: number) => jsonOf(await readText(req, bytesMax), parseJson);

const MAX = 64;

function post(
  body: BodyInit | null,
  headers: Record<string, string> = { "content-type": "application/json" },
): Request {
  return new Request("http://localhost/x", { method: "POST", headers, body, ...(body !== null && { duplex: "half" }) });
}

/** A body that arrives in pieces, and counts how many were requested. */
function pieces(list: (string | Uint8Array)[]) {
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = list[pulls++];
        if (part === undefined) controller.close();
        else controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, pulls: () => pulls };
}

async function refusalOf(req: Request, bytesMax = MAX) {
  const caught = await readJson(req, bytesMax).catch((error: unknown) => error);
  if (!(caught instanceof AppError)) throw new Error(`not refused: ${JSON.stringify(caught)}`);
  return { status: caught.status, code: caught.code };
}

describe("a request body", () => {
  test("is read completely, however it is cut into chunks, even within a character", async () => {
    const bytes = new TextEncoder().encode('{"text":"é😀"}');
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(await readJson(post(pieces(single).stream), MAX)).toEqual({ text: "é😀" });
  });

  test.each([
    ["nothing", null],
    ["an empty text", ""],
    ["white space", " \n\t "],
  ])("of %s is an empty object, for endpoints without required members", async (_, body) => {
    expect(await readJson(post(body), MAX)).toEqual({});
  });

  test.each(["null", "1", '"x"', "[]", "true"])(
    "may be any JSON, and its schema decides what is valid (%s)",
    async (text) => {
      expect(await readJson(post(text), MAX)).toEqual(JSON.parse(text));
    },
  );
});

describe("a request body that is too large", () => {
  const text = JSON.stringify({ text: "x".repeat(100) });
  const tooLarge = { status: 413, code: "body_too_large" };

  test("is refused by its content-length before a byte is read", async () => {
    const body = pieces([text]);
    expect(
      await refusalOf(post(body.stream, { "content-type": "application/json", "content-length": "1000" })),
    ).toEqual(tooLarge);
    expect(body.pulls()).toBe(0);
  });

  test.each(["1", "0", "-1", "NaN", ""])(
    "is refused by the bytes that arrive, whatever content-length says (%j)",
    async (length) => {
      expect(
        await refusalOf(post(pieces([text]).stream, { "content-type": "application/json", "content-length": length })),
      ).toEqual(tooLarge);
    },
  );

  test("is not read beyond the limit, even if it never ends", async () => {
    const endless = pieces(Array.from({ length: 100_000 }, () => " ".repeat(16)));
    expect(await refusalOf(post(endless.stream))).toEqual(tooLarge);
    expect(endless.pulls()).toBeLessThan(10);
  });

  test("begins one byte above the limit, counted in bytes and not in characters", async () => {
    const exact = JSON.stringify("é".repeat(31));
    expect(new TextEncoder().encode(exact).length).toBe(MAX);
    expect(await readJson(post(exact), MAX)).toBe("é".repeat(31));
    expect(await refusalOf(post(`${exact} `))).toEqual(tooLarge);
  });
});

describe("the format of a request body", () => {
  test.each<[string, BodyInit]>([
    ["broken", '{"a":'],
    ["a form", "a=1&b=2"],
    ["two values", "{}{}"],
    ["with a comment", '{"a":1}//x'],
    ["with a byte order mark", "\ufeff{}"],
    ["with a member twice", '{"a":1,"a":2}'],
    ["with a member twice in two spellings", '{"a":1,"\\u0061":2}'],
    ["with __proto__", '{"__proto__":{"a":1}}'],
    ["with constructor", '{"a":{"constructor":1}}'],
    ["nested too deeply", "[".repeat(33).padEnd(66, "]")],
    ["of invalid UTF-8", Uint8Array.from([0x22, 0xff, 0x22])],
    ["of a cut character", Uint8Array.from([0x22, 0xc3])],
    ["of a surrogate in UTF-8", Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["of UTF-16", Buffer.from('{"a":1}', "utf16le")],
    ["of gzip", Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ])("is refused with 400 for %s", async (_, body) => {
    expect(await refusalOf(post(body), 1_000)).toEqual({ status: 400, code: "invalid_json" });
  });

  test.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/jsonp",
    "application/json5",
    "application/json-seq",
    "application/xml; x=application/json",
    "json",
    "*/*",
  ])("is refused with 415, unread, for the content type %s", async (type) => {
    const body = pieces(["{}"]);
    expect(await refusalOf(post(body.stream, { "content-type": type }))).toEqual({
      status: 415,
      code: "unsupported_media_type",
    });
    expect(body.pulls()).toBe(0);
  });

  test.each([
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    "application/json ;charset=utf-8",
    "application/ld+json",
    "application/problem+json",
  ])("is accepted for the content type %s", async (type) => {
    expect(await readJson(post("{}", { "content-type": type }), MAX)).toEqual({});
  });

  test("is accepted without a content type, which agents forget", async () => {
    expect(await readJson(post(pieces(['{"a":1}']).stream, {}), MAX)).toEqual({ a: 1 });
  });
});

test("a body is admitted as it arrives, whatever length it announces, and read no further when it is not", async () => {
  const { stream, pulls } = pieces(["ab", "c", "d", "e"]);
  const admitted: number[] = [];
  const req = post(stream, { "content-length": String(MAX) });
  const reading = readBytes(req, MAX, (bytes) => {
    if (bytes > 3) throw new Error("no room");
    admitted.push(bytes);
  });
  await expect(reading).rejects.toThrow("no room");
  expect([admitted, pulls()]).toEqual([[2, 3], 3]);
});
