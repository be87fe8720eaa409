import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const EXIT_PAGE = fileURLToPath(new URL("../../public/vault-exit.html", import.meta.url));

const beside = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8").trimEnd();

/** Reproducible: the same sources give the same file on every machine. Why: docs/decisions.md, 147. */
export async function writeExitPage(): Promise<string> {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["dev/exit/main.ts"],
    bundle: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    write: false,
  });
  const script = outputFiles[0]?.text.trimEnd() ?? "";
  if (/<\/script|<!--/i.test(script)) throw new Error("the script would end early in a page");
  // Replacer functions, because `$&` and the like are special in replacement strings.
  return `${beside("page.html")}\n`.replace("/*STYLE*/", () => beside("page.css")).replace("/*SCRIPT*/", () => script);
}

/** `npx tsx dev/exit/build.ts` */
if (import.meta.filename === process.argv[1]) writeFileSync(EXIT_PAGE, await writeExitPage());
