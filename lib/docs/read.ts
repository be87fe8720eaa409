import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, PUBLISHED_FILES } from "./pages";

/** The service's address in the files of docs/; replaced with `baseUrl`. */
const PLACEHOLDER = "https://tessera.example";
const PLACEHOLDER_HOST = "tessera.example";

const files = new Map<string, string>();

/** A file of docs/ with this service's address. `baseUrl` is an origin. Throws if the file is not published. */
export function readDocs(file: string, baseUrl: string): string {
  const isPublished = PUBLISHED_FILES.includes(file) || file === HOME_FILE || FILES.some((page) => page.file === file);
  if (!isPublished) throw new Error(`docs/${file} is not published`);
  // The server runs in the project root.
  const text = files.get(file) ?? readFileSync(join(process.cwd(), "docs", file), "utf8");
  files.set(file, text);
  return text.replaceAll(PLACEHOLDER, baseUrl).replaceAll(PLACEHOLDER_HOST, new URL(baseUrl).host);
}

export const HOME_FILE = "guides/index.md";
