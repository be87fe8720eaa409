import { derived, type View } from "./view";

/** Fewer than this are how people write an ampersand or a space in an address. */
const escapesMin = 3;
const [AMPERSAND, PERCENT, EQUALS, BACKSLASH, HASH, SEMICOLON] = [38, 37, 61, 92, 35, 59];

const named = new Map(
  Object.entries({
    amp: 38,
    lt: 60,
    gt: 62,
    quot: 34,
    apos: 39,
    nbsp: 32,
    excl: 33,
    period: 46,
    comma: 44,
    colon: 58,
    num: 35,
    lpar: 40,
    rpar: 41,
    sol: 47,
    bsol: 92,
    lowbar: 95,
    shy: 32,
    zwj: 32,
  }),
);
const namedLengthMax = 6;

/** The text with HTML entities, percent, quoted-printable and backslash escapes resolved, if it holds several. */
export function unescaped(view: View): View | undefined {
  const { text } = view;
  const signs = /[&%=\\]/g;
  let [count, i] = [0, 0];
  let codes: number[] | undefined;
  const from: number[] = [];
  const to: number[] = [];
  let copied = 0;
  for (;;) {
    signs.lastIndex = i;
    if (!signs.test(text)) break;
    i = signs.lastIndex - 1;
    const unit = text.charCodeAt(i);
    const found = escapeAt(text, i, unit);
    if (found === 0) {
      i++;
      continue;
    }
    codes ??= [];
    for (; copied < i; copied++) {
      codes.push(text.charCodeAt(copied));
      from.push(copied);
      to.push(copied + 1);
    }
    const length = found & 15;
    codes.push(found >> 4);
    from.push(i);
    to.push(i + length);
    i += length;
    copied = i;
    // Escaped line ends are in every program.
    if (unit !== BACKSLASH || length > 2) count++;
  }
  if (!codes || count < escapesMin) return undefined;
  for (; copied < text.length; copied++) {
    codes.push(text.charCodeAt(copied));
    from.push(copied);
    to.push(copied + 1);
  }
  let decoded = "";
  for (let k = 0; k < codes.length; k += 4096) decoded += String.fromCharCode(...codes.slice(k, k + 4096));
  return derived(view, decoded, Int32Array.from(from), Int32Array.from(to));
}

/** The escape at `at` as its unit times 16 plus its length, or 0. */
function escapeAt(text: string, at: number, unit: number): number {
  if (unit === AMPERSAND) return text.charCodeAt(at + 1) === HASH ? numbered(text, at) : entity(text, at);
  if (unit === PERCENT || unit === EQUALS) return digits(text, at, at + 1, 2);
  const kind = text.charAt(at + 1);
  if (kind === "x") return digits(text, at, at + 2, 2);
  if (kind === "u" && text.charAt(at + 2) !== "{") return digits(text, at, at + 2, 4);
  if (kind === "u") {
    let end = at + 3;
    while (end < at + 9 && hexDigit(text.charCodeAt(end)) >= 0) end++;
    const value = digits(text, at, at + 3, end - at - 3);
    return text.charAt(end) === "}" && value !== 0 ? value + 1 : 0;
  }
  return kind === "n" || kind === "t" || kind === "r" ? (32 << 4) | 2 : 0;
}

/** `count` hex digits from `start` on, of an escape that begins at `at`. */
function digits(text: string, at: number, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0) return 0;
    value = value * 16 + digit;
  }
  return count > 0 && value > 0 && value < 0xffff ? (value << 4) | (start + count - at) : 0;
}

function numbered(text: string, at: number): number {
  const isHex = (text.charCodeAt(at + 2) | 32) === 120;
  let [value, i] = [0, at + (isHex ? 3 : 2)];
  const start = i;
  for (; i < start + 7; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit < 0 || (!isHex && digit > 9)) break;
    value = value * (isHex ? 16 : 10) + digit;
  }
  if (i === start || value === 0 || value > 0xffff) return 0;
  const end = text.charCodeAt(i) === SEMICOLON ? i + 1 : i;
  return (value << 4) | (end - at);
}

function entity(text: string, at: number): number {
  let end = at + 1;
  while (end <= at + namedLengthMax && text.charCodeAt(end) !== SEMICOLON) end++;
  if (text.charCodeAt(end) !== SEMICOLON) return 0;
  const unit = named.get(text.slice(at + 1, end).toLowerCase());
  return unit === undefined ? 0 : (unit << 4) | (end + 1 - at);
}

export function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
