import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PromptRow } from "./prompt-corpora.ts";

/** Files of one package, and characters of one file, at most. */
const [perPackageMax, lengthMax, lengthMin] = [6, 12_000, 200];
const kinds: readonly (readonly [kind: string, name: RegExp])[] = [
  ["docs", /^readme.*\.md$/i],
  ["docs", /^(?:changelog|history|migration|contributing).*\.md$/i],
  ["legal", /^(?:licen[cs]e|notice|thirdparty|third-party).*/i],
  ["code", /\.d\.[cm]?ts$/],
  ["code", /\.[cm]?js$/],
  ["docs", /\.md$/i],
];

/** Of one package, at most: messages, and files that are searched for them, up to this length. */
const [messagesMax, searchedMax, searchedLengthMax] = [40, 200, 400_000];
const quoted = /(["'])((?:(?!\1)[^\\\n]|\\.){15,200})\1/g;
/** A sentence of four words or more, without code. */
const message = /^(?=[A-Z][a-z]*[ ,'])(?:[^\s{};=<>\\]+\s+){3,}[^{};=<>\\]*[a-z.!?:)]$/;

/** Harmless files of the installed packages and messages in their code, a few of each. `isTrained`: of the half that may be trained on. */
export function packageRows(modules: string): (PromptRow & { isTrained: boolean })[] {
  const texts = new Set<string>();
  return packagesIn(modules).flatMap(({ name, folder }) => {
    const isTrained = (createHash("sha256").update(name).digest()[0] ?? 0) < 128;
    const files = filesIn(folder, 2).sort();
    const chosen = kinds.flatMap(([kind, pattern]) => {
      const matching = files.filter((file) => pattern.test(file.slice(file.lastIndexOf("/") + 1)));
      return matching.slice(0, kind === "code" ? 2 : 1).map((file) => ({ kind, file }));
    });
    const row = (file: string, text: string, kind: string) => {
      texts.add(text);
      return { id: file.slice(modules.length), text, label: 0 as const, source: `npm-${kind}`, cat: kind, isTrained };
    };
    const whole = chosen.slice(0, perPackageMax).flatMap(({ kind, file }) => {
      const text = readFileSync(file, "utf8").slice(0, lengthMax);
      return text.length < lengthMin || texts.has(text) || /^.{2000}/m.test(text) ? [] : [row(file, text, kind)];
    });
    const messages = new Set(
      files
        .filter((file) => /\.[cm]?js$/.test(file))
        .slice(0, searchedMax)
        .flatMap(messagesIn),
    );
    const unseen = [...messages].filter((text) => !texts.has(text)).sort(byDigest);
    return [...whole, ...unseen.slice(0, messagesMax).map((text) => row(folder, text, "messages"))];
  });
}

function messagesIn(file: string): string[] {
  const code = readFileSync(file, "utf8").slice(0, searchedLengthMax);
  return [...code.matchAll(quoted)].flatMap(([, , literal = ""]) => {
    const text = literal
      .replace(/\\(["'`])/g, "$1")
      .replaceAll("\\n", "\n")
      .trim();
    return message.test(text) ? [text] : [];
  });
}

function packagesIn(modules: string): { name: string; folder: string }[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith("."));
  return names
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .sort()
    .map((name) => ({ name, folder: join(modules, name) }));
}

function filesIn(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [path];
    return entry.isDirectory() && entry.name !== "node_modules" && depth > 0 ? filesIn(path, depth - 1) : [];
  });
}

/** Files below a folder of the operating system, one source for each. */
export function systemRows(folder: string, source: string, name: RegExp, most: number): PromptRow[] {
  if (!existsSync(folder)) return [];
  return filesIn(folder, 4)
    .filter((file) => name.test(file))
    .sort(byDigest)
    .slice(0, most)
    .map((file) => ({
      id: file,
      text: readFileSync(file, "utf8").slice(0, lengthMax),
      label: 0 as const,
      source,
      cat: "docs",
    }))
    .filter(({ text }) => text.length >= lengthMin);
}

const byDigest = (a: string, b: string): number => (digestOf(a) < digestOf(b) ? -1 : 1);
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
