import { afterEach, describe, expect, test, vi } from "vitest";
import { type AnswerBody, createBody } from "./body";
import { DELIVERY_SECONDS } from "./limits";

afterEach(() => vi.useRealTimers());

async function readAll({ stream }: AnswerBody): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) pieces.push(read.value);
  return pieces;
}

test("a reader gets all bytes in pieces of at most 64 KB, and one who waits gets nothing in advance but one piece", async () => {
  const body = createBody();
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  for (let end = 1; end <= bytes.length; end += 100) body.arrive(bytes.subarray(0, end));
  body.arrive(bytes);
  body.end();
  const pieces = await readAll(body);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(pieces.every(({ length }) => length <= 65_536)).toBe(true);
  // Thousands arrived while nobody read.
  expect(pieces.length).toBeLessThan(7);
  await body.over;
});

test.each([0, 65_530, 131_070])("a secret is not passed on, also across pieces (at %i)", async (start) => {
  const secret = Buffer.from("sk_0123456789");
  const body = createBody([secret]);
  body.arrive(Buffer.concat([Buffer.alloc(start, 65), secret, Buffer.alloc(100, 65)]));
  body.end();
  const reader = body.stream.getReader();
  let passedBytes = 0;
  await expect(
    (async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read()) passedBytes += read.value.length;
    })(),
  ).rejects.toThrow("broke off");
  expect(passedBytes).toBeLessThanOrEqual(start);
  await body.over;
});

test("a reader who waits gets the last bytes that could have begun a secret, and the end", async () => {
  const body = createBody([Buffer.from("sk_0123456789")]);
  const pieces = readAll(body);
  body.arrive(Buffer.from("answers"));
  // Until the reader waits for what is held back.
  await new Promise(setImmediate);
  body.end();
  expect(Buffer.concat(await pieces).toString()).toBe("answers");
  await body.over;
});

describe("what broke off was taken", () => {
  const begun = async (bytes: Buffer, secrets: Buffer[] = []) => {
    const body = createBody(secrets);
    const reader = body.stream.getReader();
    const first = reader.read();
    body.arrive(bytes);
    await first;
    return { body, reader };
  };

  test("by a reader who was there and waited for more, except for the beginning of a secret", async () => {
    const { body, reader } = await begun(Buffer.from("answer sk_"), [Buffer.from("sk_0123456789")]);
    const waiting = reader.read();
    body.fail();
    await expect(waiting).rejects.toThrow("broke off");
    expect(body.wasTaken()).toBe(true);
  });

  test("not by one who left, who had not read all, or who got nothing", async () => {
    const left = await begun(Buffer.from("answer"));
    await left.reader.cancel();
    const slow = await begun(Buffer.from("answer"));
    slow.body.arrive(Buffer.from("answer, and more"));
    const ends = [left.body, slow.body, createBody()];
    for (const body of ends) body.fail();
    expect(ends.map((body) => body.wasTaken())).toEqual([false, false, false]);
    await expect(slow.reader.closed).rejects.toThrow("broke off");
  });
});

test("a reader who leaves, and one who does not read in time, end it", async () => {
  const left = createBody();
  await left.stream.cancel();
  await left.over;
  vi.useFakeTimers();
  const late = createBody();
  late.arrive(Buffer.alloc(200_000));
  late.end();
  const reader = late.stream.getReader();
  await reader.read();
  await vi.advanceTimersByTimeAsync(DELIVERY_SECONDS * 1_000);
  await late.over;
  await expect(reader.read()).rejects.toThrow("broke off");
});
