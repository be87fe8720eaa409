import type { Span } from "../verdict.ts";
import { accountWords, ordinaryKeys } from "./rules.ts";
import { changesIn, hasRandomPart, isLetterKey, isWorthHiding, matchEnd, valueEnd } from "./values.ts";

/** `name: string = "…"`, `name ?= …`, `name"] ||= "…"`, `name <- "…"`, `name", "…"`, `name("…")`, `#define NAME "…"`. */
const assignment =
  /["'`]?(?::\s?[&A-Za-z][\w.]{1,11}\??\s?=\s?[b@]?["'`]|\\?["'`]?[\])]{0,2}\s{0,4}(?:[?|.+]{1,2}=|<-|->|,(?=\s{0,2}["'`]))\s{0,4}[b@]?["'`]?|["'\]]{1,2}\s?=\s?["'`]|\s?[:=]\s?(?:[b@]["'`]|\*{2}\s?`)|\s=\s\[\[|\s\|\s?|\(["'`])|\s["'`](?=[\w+/=.-]{16,300}["'`])/y;
/** A name and its value as two members: `name: API_KEY`, then `value: …`; `key="ApiKey" value="…"`. */
const twoMembers = /["']?,?\s{1,20}["']?(?:secret_?)?value["']?\s?[:=]\s?["']?/y;
/** The value on the next line: in an element of XML or a block of YAML. */
const nextLine = /(?:>|:\s[|>]-?)\n[ \t]{1,40}/y;

/** By the ASCII unit after a name: 1 can start `twoMembers`, 2 `nextLine`. */
const starts = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit);
  return (/["',\s]/.test(sign) ? 1 : 0) | (/[>:]/.test(sign) ? 2 : 0);
});

/** The start of the value that follows the name ending at `end`, for forms in which more than signs lies between. */
export function assignedAfter(text: string, end: number): number {
  const unit = text.charCodeAt(end);
  const kind = unit < 128 ? (starts[unit] ?? 0) : 1;
  const secondMember = (kind & 1) === 0 ? -1 : matchEnd(twoMembers, text, end);
  const start = secondMember < 0 ? matchEnd(assignment, text, end) : secondMember;
  return start < 0 && (kind & 2) !== 0 ? matchEnd(nextLine, text, end) : start;
}

const authorization = /["'`]?\s?[:=,]\s{0,2}["'`]?(?:(?:[A-Z][A-Za-z]{1,12}) (?:token=["']?)?)?/y;
/** In units. */
const headerValueMin = 16;

/** The credential of an `Authorization` header, with or without a scheme. */
export function authorizationValue(text: string, end: number): Span | undefined {
  const start = matchEnd(authorization, text, end);
  if (start < 0) return undefined;
  const to = valueEnd(text, start);
  return isWorthHiding(text.slice(start, to), headerValueMin) ? { start, end: to } : undefined;
}

/** In units. Shorter values are names more often than keys. */
const vendorKeyMin = 16;
/** In units. Without a name of its own, a key has to be longer. */
const longKeyMin = 24;

/** Whether `value` is a key whatever it is called: long, random, and in both cases, which numbers of things are not. */
export const isLongKey = (value: string): boolean =>
  value.length >= longKeyMin && /[a-z]/.test(value) && /[A-Z]/.test(value) && isRandomKey(value);

/** In units. In a longer key, eight letters in a row may be chance. */
const wordlessFrom = 64;
/** How often a random key changes between letters and digits, at least. */
const changesMin = 4;

/** Whether `value` is random enough to be the key of the vendor whose name stands before "key". */
export function isVendorKey(qualifier: string, value: string): boolean {
  return qualifier.length >= 2 && !ordinaryKeys.test(qualifier) && !accountWords.test(qualifier) && isRandomKey(value);
}

/** Whether letters and digits alternate in `value` as they do in a key, and hardly in a name. */
export function isRandomKey(value: string): boolean {
  if (value.length < vendorKeyMin || !/^[\w.+/=:-]+$/.test(value) || !isWorthHiding(value, vendorKeyMin)) return false;
  if (isLetterKey(value)) return true;
  if (value.includes(".")) return hasRandomPart(value);
  return changesIn(value) >= changesMin && (value.length >= wordlessFrom || !/[a-z]{8}/.test(value));
}

/** Commands that take a password as an option. The password is the last group. */
const commands: ReadonlyMap<string, RegExp> = new Map([
  ["sshpass", /\s-p\s?["']?([^\s"']{6,80})/y],
  ["mysql", /(?:\s-{1,2}[A-Za-z][\w=-]{0,40}(?:\s[^\s-]\S{0,60})?){0,4}\s-p["']?([^\s"']{6,80})/y],
  ["mysqldump", /(?:\s-{1,2}[A-Za-z][\w=-]{0,40}(?:\s[^\s-]\S{0,60})?){0,4}\s-p["']?([^\s"']{6,80})/y],
  ["login", /(?:\s(?:-u|--username)[\s=]\S{1,60})?\s-p\s["']?([^\s"']{6,120})/y],
  ["cli", /(?:\s-[hpu]\s\S{1,60}){0,3}\s-a\s["']?([^\s"']{6,120})/y],
  ["http", /\s-a\s["']?[^\s:"']{1,60}:([^\s"']{6,120})/y],
]);

/** By first letter: a bit set of the lengths of the commands. */
const commandLengths = new Uint16Array(128);
for (const name of commands.keys()) {
  const first = name.charCodeAt(0);
  commandLengths[first] = (commandLengths[first] ?? 0) | (1 << name.length);
}

/** `sshpass -p …`, `mysql -u app -p…`, `docker login -u app -p …`. */
export function commandPassword(text: string, start: number, end: number): Span | undefined {
  const first = text.charCodeAt(start);
  if (end - start > 9 || first > 127 || ((commandLengths[first] ?? 0) & (1 << (end - start))) === 0) return undefined;
  const form = commands.get(text.slice(start, end));
  if (!form) return undefined;
  form.lastIndex = end;
  const password = form.exec(text)?.[1];
  if (password === undefined || !isWorthHiding(password, 6)) return undefined;
  return { start: form.lastIndex - password.length, end: form.lastIndex };
}
