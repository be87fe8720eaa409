import { expect, test } from "vitest";
import { getPaid } from "@/lib/links/upstream/contract";
import { hereSend, readReply } from "./own-send";

const pieces = (parts: string[], end: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
  new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const part = parts.shift();
        if (part === undefined) end(controller);
        else controller.enqueue(Buffer.from(part));
      },
    }),
  );

test("a response of this service is read whole, up to 64 KB, or as far as it got", async () => {
  const whole = await readReply(pieces(["a", "b"], (controller) => controller.close()));
  expect([whole.bytes.toString(), whole.end]).toEqual(["ab", "whole"]);
  const broken = await readReply(pieces(["data: 1"], (controller) => controller.error(new Error("broke off"))));
  expect([broken.bytes.toString(), broken.end]).toEqual(["data: 1", "broken"]);
  const large = await readReply(pieces(Array(3).fill("x".repeat(40_000)), (controller) => controller.close()));
  expect([large.bytes.length, large.end]).toEqual([65_536, "too_large"]);
  expect(await readReply(new Response(null))).toMatchObject({ bytes: Buffer.alloc(0), end: "whole" });
});

test("a handler that waits for a seller's API does not hold its caller", async () => {
  const handler = Object.assign(() => new Promise<Response>(() => {}), { endpoint: getPaid });
  const [baseUrl, inside] = ["http://here.example", { actor: { type: "anonymous" } as const }];
  const send = hereSend({ handler }, { baseUrl, origin: new Request(baseUrl), inside });
  const url = new URL("http://here.example/paid/lnk_1/slow");
  expect(await send(url, { method: "GET", headers: {}, msMax: 1 })).toEqual({ isAnswered: false, why: "timeout" });
});
