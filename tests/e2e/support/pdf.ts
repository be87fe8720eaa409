import { inflateSync } from "node:zlib";

/** A page as Chromium prints it: its size in points, and its text without white space. */
export type PdfPage = { width: number; height: number; text: string };

/** Reads the text of a PDF that Chromium wrote: plain objects, deflated streams, and fonts that map their codes to Unicode. */
export function readPdf(file: Buffer): PdfPage[] {
  const objects = objectsOf(file);
  const find = (id: string | undefined): PdfObject => {
    const match = objects.get(id ?? "");
    if (!match) throw new Error(`the PDF has no object ${id}`);
    return match;
  };
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b/.test(head));
  return pages.map(({ head }) => {
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(head) ?? [];
    const fonts = new Map(
      [...(/\/Font <<(.*?)>>/s.exec(head)?.[1] ?? "").matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name = "", id]) => {
        const [, unicode] = /\/ToUnicode (\d+) 0 R/.exec(find(id).head) ?? [];
        return [name, unicode === undefined ? null : lettersOf(find(unicode).content)] as const;
      }),
    );
    const contents = find(/\/Contents (\d+) 0 R/.exec(head)?.[1]).content;
    return { width: Number(width), height: Number(height), text: textOf(contents, fonts).replace(/\s/gu, "") };
  });
}

type PdfObject = { head: string; content: string };

function objectsOf(file: Buffer): Map<string, PdfObject> {
  const text = file.toString("latin1");
  const objects = new Map<string, PdfObject>();
  const begins = /(\d+) 0 obj\n/g;
  for (let begin = begins.exec(text); begin; begin = begins.exec(text)) {
    const from = begins.lastIndex;
    const end = text.indexOf("endobj", from);
    const stream = text.indexOf("stream\n", from);
    const isStream = stream !== -1 && stream < end;
    const head = text.slice(from, isStream ? stream : end);
    const start = stream + "stream\n".length;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const data = isStream ? file.subarray(start, start + length) : Buffer.alloc(0);
    const content = head.includes("/FlateDecode") && !head.includes("/Length1") ? inflateSync(data) : data;
    objects.set(begin[1] ?? "", { head, content: content.toString("latin1") });
    // A compressed stream may contain any bytes.
    begins.lastIndex = isStream ? start + length : end;
  }
  return objects;
}

/** Letters by code, and how many hexadecimal digits a code has. */
type Letters = { digits: number; byCode: Map<number, string> };

function lettersOf(cmap: string): Letters {
  const byCode = new Map<number, string>();
  const blocks = (kind: string) => [...cmap.matchAll(new RegExp(`begin${kind}\n(.*?)end${kind}`, "gs"))];
  for (const [, block = ""] of blocks("bfchar")) {
    for (const [, code = "", letters = ""] of block.matchAll(/<(\w+)> <(\w+)>/g))
      byCode.set(Number.parseInt(code, 16), utf16(letters));
  }
  for (const [, block = ""] of blocks("bfrange")) {
    for (const [, from = "", to = "", first = ""] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      const start = Number.parseInt(from, 16);
      for (let index = start; index <= Number.parseInt(to, 16); index++)
        byCode.set(index, String.fromCodePoint(Number.parseInt(first, 16) + index - start));
    }
  }
  return { digits: /begincodespacerange\n<(\w+)>/.exec(cmap)?.[1]?.length ?? 4, byCode };
}

const PIECES = /\/Span\s*<<\s*\/ActualText\s*<(\w*)>\s*>>\s*BDC|(EMC)|\/(\w+) [\d.]+ Tf|<(\w+)>/g;

function textOf(contents: string, fonts: Map<string, Letters | null>): string {
  let text = "";
  let font: Letters | null = null;
  let isSpelled = false;
  for (const [, actual, ends, name, codes] of contents.matchAll(PIECES)) {
    if (actual !== undefined) {
      // Glyphs that stand for other letters than the font says.
      text += utf16(actual.replace(/^FEFF/i, ""));
      isSpelled = true;
    } else if (ends !== undefined) isSpelled = false;
    else if (name !== undefined) font = fonts.get(name) ?? null;
    else if (codes !== undefined && font && !isSpelled) {
      for (let index = 0; index < codes.length; index += font.digits)
        text += font.byCode.get(Number.parseInt(codes.slice(index, index + font.digits), 16)) ?? "";
    }
  }
  return text;
}

const utf16 = (hex: string): string =>
  (hex.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(Number.parseInt(unit, 16))).join("");
