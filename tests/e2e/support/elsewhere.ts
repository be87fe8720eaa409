import type { Page } from "@playwright/test";
import { BASE_URL } from "./api";
import { expect } from "./test";

/** Another site, and another port of the machine that serves ours, whose pages our cookies are sent from. */
const ORIGINS = ["https://evil.example", `http://${new URL(BASE_URL).hostname}:9`];

/**
 * `url` is a page on which the person who is signed in to this browser decides, `posts` are the paths that it decides by.
 * Pages of other origins try all that they can: frames, forms, requests. Nothing they do is answered as if it came from us;
 * that nothing has changed is for the caller to see.
 */
export async function tryFromElsewhere(page: Page, url: string, posts: readonly string[]): Promise<void> {
  const own = await page.goto(url);
  expect(own?.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(own?.headers()["x-frame-options"]).toBe("DENY");
  const targets = posts.map((path) => new URL(path, BASE_URL).href);
  const forms = targets.flatMap((target, index) => [
    `<form method=post action="${target}"><button>Win ${index}</button></form>`,
    `<form method=post enctype="text/plain" action="${target}"><input name='{"a":"' value='"}'><button>Lose ${index}</button></form>`,
  ]);
  const body = `<!doctype html><title>Win</title>${forms.join("")}<iframe src="${url}"></iframe>`;
  for (const origin of ORIGINS) {
    const other = await page.context().newPage();
    await other.route(`${origin}/**`, (route) => route.fulfill({ contentType: "text/html", body }));
    await other.goto(`${origin}/`);
    await expect.poll(() => other.frames().map((inner) => inner.url())).toContain("chrome-error://chromewebdata/");
    expect(await other.evaluate(readAll, targets)).toEqual(["unreadable"]);
    for (const name of targets.flatMap((_, index) => [`Win ${index}`, `Lose ${index}`])) {
      await other.goto(`${origin}/`);
      const answered = other.waitForResponse((response) => targets.includes(response.url()));
      await other.getByRole("button", { name, exact: true }).click();
      expect((await answered).status(), `${name} from ${origin}`).toBeGreaterThanOrEqual(400);
    }
    await other.close();
  }
}

/** Runs in the other page. */
async function readAll(targets: string[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const target of targets) {
    for (const headers of [{ "Content-Type": "text/plain" }, { "Content-Type": "application/json" }]) {
      for (const mode of ["cors", "no-cors"] as const) {
        const init = { method: "POST", credentials: "include", body: "{}", mode, headers } as const;
        const response = await fetch(target, init).catch(() => null);
        outcomes.push(response === null || response.type === "opaque" ? "unreadable" : String(response.status));
      }
    }
  }
  return [...new Set(outcomes)];
}
