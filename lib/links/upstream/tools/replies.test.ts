import { describe, expect, test } from "vitest";
import { createReplyReader, EVENTS_MAX } from "./replies";

const result = { content: [{ type: "text", text: "é" }] };
const answer = (id: unknown, rest: object = { result }) => JSON.stringify({ jsonrpc: "2.0", id, ...rest });
const event = (data: string) => `event: message\ndata: ${data}\n\n`;

/** Reads `text` in parts of `size` bytes. `overAt`: how many bytes had arrived when the reader had enough. */
function read(text: string, { type = "text/event-stream; charset=utf-8", size = 7, id = 2 } = {}) {
  const bytes = Buffer.from(text);
  let arrived = 0;
  let overAt: number | null = null;
  const reader = createReplyReader(id, () => {
    overAt = arrived;
  });
  reader.watch.head(200, { "content-type": type });
  while (arrived < bytes.length && overAt === null) {
    arrived = Math.min(bytes.length, arrived + size);
    reader.watch.chunk(bytes.subarray(0, arrived));
  }
  return { response: reader.end(bytes), overAt };
}

describe("the response to a request", () => {
  test.each([1, 2, 7, 10_000])("is found in events that arrive %i bytes at a time, at once", (size) => {
    const before = `: ping\n\n${event(answer(1))}${event('{"jsonrpc":"2.0","method":"notifications/progress"}')}`;
    const text = before + event(answer(2));
    const { response, overAt } = read(text + event(answer(3)), { size });
    expect(response).toEqual({ type: "result", result });
    expect(overAt).toBeLessThan(Buffer.byteLength(text) + size);
  });

  test("is not looked for after too many events", () => {
    const others = event("{");
    expect(read(others.repeat(EVENTS_MAX - 1) + event(answer(2)), { size: 1_000 }).response).not.toBeNull();
    const { response, overAt } = read(others.repeat(EVENTS_MAX) + event(answer(2)), { size: 1_000 });
    expect([response, overAt]).toEqual([null, expect.any(Number)]);
  });

  test("is found in lines that end with a carriage return, and in data of several lines", () => {
    const lines = answer(2).replace(",", ",\r\ndata: ");
    expect(read(`data: ${lines}\r\n\r\n`).response).toEqual({ type: "result", result });
  });

  test("is found in JSON and in a batch", () => {
    const type = "application/json";
    expect(read(answer(2), { type }).response).toEqual({ type: "result", result });
    expect(read(`[${answer(1)},${answer(2)}]`, { type }).response).toEqual({ type: "result", result });
  });

  test("is an error as JSON-RPC has it", () => {
    const error = answer(2, { error: { code: -32_602, message: "no" } });
    expect(read(event(error)).response).toEqual({ type: "error" });
  });

  test.each([
    ["another id", event(answer(3))],
    ["an id of another type", event(answer("2"))],
    ["an event without its end", `data: ${answer(2)}\n`],
    ["no JSON", event("{")],
    ["a result that is no object", event(answer(2, { result: [1] }))],
    ["nothing", ""],
  ])("is not found with %s", (_, text) => {
    expect(read(text)).toEqual({ response: null, overAt: null });
  });
});
