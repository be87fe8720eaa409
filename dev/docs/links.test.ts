import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { renderMarkdown } from "@/lib/docs/markdown";
import { listFiles } from "./repository";

/** The relative links of a Markdown file, outside of its code. */
const linksIn = (file: string): string[] => {
  const text = readFileSync(file, "utf8")
    .replace(/^```.*?^```/gms, "")
    .replace(/`[^`]*`/g, "");
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, href = ""]) => (/^(?:[a-z]+:|\/)/.test(href) ? [] : href));
};

const anchorsOf = (file: string): Set<string> =>
  new Set(
    renderMarkdown(readFileSync(file, "utf8"), file).blocks.flatMap((block) =>
      block.kind === "html" ? [...block.html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id = ""]) => id) : [],
    ),
  );

test("every relative link of a Markdown file leads to an existing file and heading", () => {
  const broken = listFiles([".md"]).flatMap((file) =>
    linksIn(file).flatMap((href) => {
      const [path = "", anchor] = href.split("#");
      const target = path === "" ? file : posix.join(posix.dirname(file), path);
      const isThere = existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
      return isThere ? [] : `${file}: ${href}`;
    }),
  );
  expect(broken).toEqual([]);
});
