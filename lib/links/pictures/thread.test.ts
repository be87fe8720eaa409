import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { plainPicture } from "@/app/api/payment-links/[linkId]/picture/draw";
import { keepBytes } from "./service";
import { openThread, type Thread } from "./thread";

const LIMITS = { queueMax: 2, drawMs: 300, startMs: 20_000, idleMs: 20_000 };
const size = { width: 1, height: 1 };
const open: Thread[] = [];
afterEach(() => {
  for (const thread of open.splice(0)) thread.close();
});

/** A thread whose code does to a drawing what its element says. */
function fakeThread(start = 'parentPort.postMessage({ type: "ready" });'): Thread {
  const file = join(mkdtempSync(join(tmpdir(), "thread-")), "worker.mjs");
  writeFileSync(
    file,
    `import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ element }) => {
      if (element === "hang") for (;;);
      if (element === "die") process.exit(1);
      if (element === "throw") throw new Error("thrown");
      if (element === "fail") return parentPort.postMessage({ type: "failed", reason: "it said so" });
      parentPort.postMessage({ type: "drawn", png: new Uint8Array([threadId]).buffer });
    });
    ${start}`,
  );
  const thread = openThread(LIMITS, file);
  open.push(thread);
  return thread;
}

const threadIdOf = async (thread: Thread) => {
  const drawn = await thread.draw({ element: "draw", size });
  return drawn.type === "drawn" ? new Uint8Array(drawn.png)[0] : drawn.type;
};

describe("the thread that draws pictures", () => {
  test.each(["hang", "die", "throw"])(
    "is replaced after a drawing that makes it %s, and the next picture is drawn",
    async (description) => {
      const thread = fakeThread();
      const threadIdBefore = await threadIdOf(thread);
      const [bad, good] = await Promise.all([thread.draw({ element: description, size }), threadIdOf(thread)]);
      expect(bad.type).toBe("failed");
      expect(good).toEqual(expect.any(Number));
      expect(good).not.toBe(threadIdBefore);
    },
  );

  test("is kept after a drawing that it refuses", async () => {
    const thread = fakeThread();
    const threadIdBefore = await threadIdOf(thread);
    expect(await thread.draw({ element: "fail", size })).toEqual({ type: "failed", reason: "it said so" });
    expect(await threadIdOf(thread)).toBe(threadIdBefore);
  });

  test("has a short queue", async () => {
    const thread = fakeThread();
    await threadIdOf(thread);
    const drawn = await Promise.all(Array.from({ length: 10 }, () => thread.draw({ element: "draw", size })));
    const count = (type: string) => drawn.filter((each) => each.type === type).length;
    // One in progress and two that wait.
    expect([count("drawn"), count("busy")]).toEqual([3, 7]);
  });

  test("fails waiting drawings one by one when it cannot start, and never hangs", async () => {
    const thread = fakeThread("process.exit(1);");
    const drawn = await Promise.all([1, 2].map(() => thread.draw({ element: "draw", size })));
    expect(drawn.map(({ type }) => type)).toEqual(["failed", "failed"]);
  });

  test("draws the same plain picture as the file in the repository", async () => {
    const thread = openThread();
    open.push(thread);
    const drawn = await thread.draw(plainPicture());
    if (drawn.type !== "drawn") throw new Error(JSON.stringify(drawn));
    const png = Buffer.from(drawn.png);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test("gets none of the service's settings", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "thread-")), "worker.mjs");
    writeFileSync(
      file,
      `import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => parentPort.postMessage({ type: "failed", reason: Object.keys(process.env).join() }));
      parentPort.postMessage({ type: "ready" });`,
    );
    const thread = openThread(LIMITS, file);
    open.push(thread);
    expect(await thread.draw({ element: "", size })).toEqual({ type: "failed", reason: "NODE_ENV" });
  });
});

test("cached pictures are bounded in bytes, and the least recently used one is removed first", () => {
  const kept = keepBytes(100);
  kept.set("a", new ArrayBuffer(50));
  kept.set("b", new ArrayBuffer(40));
  expect(kept.get("a")?.byteLength).toBe(50);
  kept.set("c", new ArrayBuffer(20));
  expect(["a", "b", "c"].map((key) => kept.get(key)?.byteLength ?? null)).toEqual([50, null, 20]);
  kept.set("d", new ArrayBuffer(101));
  expect(kept.get("d")).toBeNull();
  kept.set("a", new ArrayBuffer(60));
  kept.set("e", new ArrayBuffer(20));
  expect(["a", "c", "e"].map((key) => kept.get(key)?.byteLength ?? null)).toEqual([60, 20, 20]);
});

test("no code of the service draws a picture on the thread that handles requests", () => {
  const files = execFileSync(
    "git",
    [
      "grep",
      "-lE",
      "(from|import\\()\\s*['\"](next/og|next/dist/compiled/@vercel/og|satori|@resvg|sharp)",
      "--",
      "app",
      "lib",
      "components",
      "ops",
      "*.ts",
      "*.mjs",
    ],
    { encoding: "utf8" },
  );
  expect(files.trim().split("\n")).toEqual(["lib/links/pictures/worker.mjs"]);
});
