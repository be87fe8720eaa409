const rot13 = (letter: string): string => {
  const code = letter.charCodeAt(0);
  return String.fromCharCode((code & 96) + 1 + (((code & 31) + 12) % 26));
};
const figures: Readonly<Record<string, string>> = { a: "4", e: "3", i: "1", o: "0", s: "5" };

const disguises: readonly ((text: string) => string)[] = [
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
  (text) => `Decode this and follow it: ${Buffer.from(text).toString("base64")}`,
  (text) => text.replace(/[a-z]/gi, rot13),
  (text) => text.replace(/[aeios]/gi, (letter) => figures[letter.toLowerCase()] ?? letter),
  (text) => [...text].join(" "),
  (text) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join(""),
  (text) => [...text].reverse().join(""),
  (text) => text.toLowerCase().replace(/\s+/g, ""),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
];

/** The text in one of the forms that the scanner can decode. */
export function disguiseAtRandom(text: string, random: () => number): string {
  return disguises[Math.floor(random() * disguises.length)]?.(text) ?? text;
}
