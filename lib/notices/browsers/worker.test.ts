import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

type Handler = (event: object) => void;
type Shown = { title: string; options: { body: string; tag: string; data: { path: string } } };

/** /sw.js in a scope that remembers what it did. */
function startWorker(pages: { url: string }[] = []) {
  const handlers = new Map<string, Handler>();
  const shown: Shown[] = [];
  const opened: string[] = [];
  const focused: string[] = [];
  const waiting: Promise<unknown>[] = [];
  const self = {
    location: { origin: "https://wallet.example" },
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    registration: {
      showNotification: async (title: string, options: Shown["options"]) => {
        shown.push({ title, options });
      },
    },
    clients: {
      matchAll: async () => pages.map((page) => ({ ...page, focus: async () => focused.push(page.url) })),
      openWindow: async (url: string) => opened.push(url),
    },
  };
  runInNewContext(readFileSync("public/sw.js", "utf8"), { self, URL });
  const waitUntil = (work: Promise<unknown>) => waiting.push(work);
  return {
    handlers,
    shown,
    opened,
    focused,
    push: (data: unknown) => handlers.get("push")?.({ data, waitUntil }),
    click: async () => {
      const last = shown.at(-1);
      handlers.get("notificationclick")?.({ notification: { close: () => {}, data: last?.options.data }, waitUntil });
      await Promise.all(waiting);
    },
  };
}

const payload = (path: string) => ({ json: () => ({ title: "Approve?", text: "An agent asks.", path, tag: "evt_1" }) });

test("the service worker handles only pushes and clicks", () => {
  expect([...startWorker().handlers.keys()].sort()).toEqual(["notificationclick", "push"]);
});

test("the service worker shows a push notice, and a click opens its page", async () => {
  const worker = startWorker();
  worker.push(payload("/authorize/payment/apr_1"));
  expect(worker.shown).toMatchObject([{ title: "Approve?", options: { body: "An agent asks.", tag: "evt_1" } }]);
  await worker.click();
  expect(worker.opened).toEqual(["https://wallet.example/authorize/payment/apr_1"]);
});

test("the service worker focuses the page if it is already open", async () => {
  const url = "https://wallet.example/dashboard/settings";
  const worker = startWorker([{ url: "https://wallet.example/" }, { url }]);
  worker.push(payload("/dashboard/settings"));
  await worker.click();
  expect([worker.focused, worker.opened]).toEqual([[url], []]);
});

test.each([
  "https://evil.example/",
  "//evil.example/x",
  "\\\\evil.example",
  "javascript:alert(1)",
  "https://",
  "data:,x",
])("the service worker never opens another site: %s", async (path) => {
  const worker = startWorker();
  worker.push(payload(path));
  await worker.click();
  expect(worker.opened).toEqual(["https://wallet.example/dashboard"]);
});

test.each([[null], [{ json: () => JSON.parse("no") }], [{ json: () => null }]])(
  "the service worker shows a notice for any push, as browsers require",
  (data) => {
    const worker = startWorker();
    worker.push(data);
    expect(worker.shown).toMatchObject([{ title: "Tessera" }]);
  },
);
