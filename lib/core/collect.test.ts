import { expect, test } from "vitest";
import { collector } from "./collect";

test("chunks of one byte are joined in at most twice their memory, and up to the limit", () => {
  const add = collector(1_000);
  for (let value = 0; value < 300; value += 1) {
    const bytes = add(Uint8Array.of(value));
    expect(bytes.length).toBe(value + 1);
    expect(bytes.buffer.byteLength).toBeLessThanOrEqual(2 * bytes.length);
  }
  const bytes = add(Buffer.alloc(2_000, 7));
  expect([bytes.length, bytes.buffer.byteLength, bytes[299], bytes[300], bytes[999]]).toEqual([1_000, 1_000, 43, 7, 7]);
});
