import type { PromptInput } from "@/lib/firewall/rules/prompt";
import { type Fields, isRecord } from "@/lib/firewall/rules/record";

const TRANSACTION_FIELDS = ["chainId", "to", "data", "valueWei", "function", "amount", "context"] as const;
const EXPECTED_FIELDS = ["network", "maxAmountAtomic", "payTo", "asset", "resource"] as const;

export type TransactionField = (typeof TRANSACTION_FIELDS)[number];
export type TransactionFields = Record<TransactionField, string>;
export type ExpectedField = (typeof EXPECTED_FIELDS)[number];
export type ExpectedFields = Record<ExpectedField, string>;

/** An input as it is typed. A transaction is edited field by field, or as the JSON of the request when that is not null. */
export type TransactionDraft = { scanner: "transaction"; fields: TransactionFields; json: string | null };
export type X402Draft = { scanner: "x402"; paymentRequired: string; expected: ExpectedFields };
export type PromptDraft = { scanner: "prompt"; text: string; source: string };
export type Draft = TransactionDraft | X402Draft | PromptDraft;

/** The body of the request to the service, which is what the engine reads. */
export type ScanRequest =
  | { scanner: "transaction"; body: Fields }
  | { scanner: "x402"; body: Fields }
  | { scanner: "prompt"; body: PromptInput };

export type DraftField = "chainId" | "to" | "json" | "paymentRequired" | "text";
/** What is wrong with each field, for the person who typed it. */
export type Faults = { readonly [Field in DraftField]?: string };

export type Reading =
  | { state: "empty" }
  | { state: "faulty"; faults: Faults }
  | { state: "ready"; request: ScanRequest };

export const EMPTY = {
  transaction: { scanner: "transaction", fields: filled(TRANSACTION_FIELDS), json: null },
  x402: { scanner: "x402", paymentRequired: "", expected: filled(EXPECTED_FIELDS) },
  prompt: { scanner: "prompt", text: "", source: "" },
} as const satisfies Record<Draft["scanner"], Draft>;

export const TEXT_CHARACTERS_MAX = 24_000;
/** What is nested deeper cannot be laid out again: each level adds to the indentation of all below it. */
const DEPTH_MAX = 64;

/** The request that a draft makes. What the service would answer with 400 or 413 is a fault here; the rest is the engine's. */
export function readDraft(draft: Draft, bodyBytesMax: number): Reading {
  const reading = read(draft);
  if (reading.state !== "ready") return reading;
  const bytes = new TextEncoder().encode(JSON.stringify(reading.request.body)).length;
  if (bytes <= bodyBytesMax) return reading;
  const [most, has] = [Math.floor(bodyBytesMax / 1024), Math.ceil(bytes / 1024)];
  return faulty(mainField(draft), `The service reads ${most} KB at most, and this request has ${has} KB.`);
}

/** The same request as JSON to edit, or back in the form's fields; null when it has what the form has no field for. */
export function turnOver({ fields, json }: TransactionDraft): TransactionDraft | null {
  if (json === null) return { scanner: "transaction", fields, json: JSON.stringify(bodyOf(fields), null, 2) };
  if (json.trim() === "") return EMPTY.transaction;
  const parsed = parse(json);
  if (!("value" in parsed) || !isRecord(parsed.value)) return null;
  const turned: Partial<TransactionFields> = {};
  for (const [name, value] of Object.entries(parsed.value)) {
    const field = TRANSACTION_FIELDS.find((known) => known === name);
    const isText = typeof value === "string" || (field === "chainId" && Number.isSafeInteger(value));
    if (field === undefined || !isText) return null;
    turned[field] = String(value);
  }
  return { scanner: "transaction", fields: { ...EMPTY.transaction.fields, ...turned }, json: null };
}

function read(draft: Draft): Reading {
  switch (draft.scanner) {
    case "transaction":
      return draft.json === null ? readFields(draft.fields) : readJson(draft.json);
    case "x402":
      return readRequirement(draft);
    case "prompt":
      return readText(draft);
    default:
      return draft satisfies never;
  }
}

function readFields(fields: TransactionFields): Reading {
  if (Object.values(fields).every((value) => value.trim() === "")) return { state: "empty" };
  const chainId = fields.chainId.trim();
  if (chainId !== "" && !/^\d{1,15}$/.test(chainId)) {
    return faulty("chainId", "A chain's id is a whole number: 8453 is Base.");
  }
  if (fields.to.trim() === "" && fields.data.trim() === "") return faulty("to", NO_CALL);
  return { state: "ready", request: { scanner: "transaction", body: bodyOf(fields) } };
}

/** Spaces around a value came with the copying; inside the context they are its own. */
function bodyOf(fields: TransactionFields): Fields {
  const given = Object.entries(fields).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]]));
  const body: Fields = Object.fromEntries(given);
  return /^\d{1,15}$/.test(fields.chainId.trim()) ? { ...body, chainId: Number(fields.chainId) } : body;
}

function readJson(json: string): Reading {
  if (json.trim() === "") return { state: "empty" };
  const parsed = parse(json);
  if ("fault" in parsed) return faulty("json", parsed.fault);
  if (!isRecord(parsed.value)) return faulty("json", "The request is a JSON object, in braces.");
  const isCall = [parsed.value.to, parsed.value.data].some((value) => value !== undefined && value !== "");
  if (!isCall) return faulty("json", NO_CALL);
  return { state: "ready", request: { scanner: "transaction", body: parsed.value } };
}

function readRequirement({ paymentRequired, expected }: X402Draft): Reading {
  const given = Object.entries(expected).flatMap(([name, value]) =>
    value.trim() === "" ? [] : [[name, value.trim()] as const],
  );
  if (paymentRequired.trim() === "") {
    return given.length === 0 ? { state: "empty" } : faulty("paymentRequired", "Paste the body of the 402 answer.");
  }
  const parsed = parse(paymentRequired);
  if ("fault" in parsed) return faulty("paymentRequired", parsed.fault);
  const body = {
    paymentRequired: parsed.value,
    ...(given.length > 0 && { expected: Object.fromEntries(given) }),
  };
  return { state: "ready", request: { scanner: "x402", body } };
}

function readText({ text, source }: PromptDraft): Reading {
  if (text === "") return source.trim() === "" ? { state: "empty" } : faulty("text", "Paste the text to scan.");
  const length = [...text].length;
  if (length > TEXT_CHARACTERS_MAX) {
    const [most, has] = [TEXT_CHARACTERS_MAX, length].map((count) => count.toLocaleString("en-US"));
    return faulty("text", `The service reads ${most} characters at most, and this text has ${has}.`);
  }
  if (!text.isWellFormed()) return faulty("text", "The text holds half a character (a lone surrogate).");
  return {
    state: "ready",
    request: { scanner: "prompt", body: { text, ...(source.trim() !== "" && { source: source.trim() }) } },
  };
}

function parse(text: string): { value: unknown } | { fault: string } {
  if (depthOf(text) > DEPTH_MAX) return { fault: `Nested more than ${DEPTH_MAX} levels deep, which is not read here.` };
  try {
    return { value: JSON.parse(text) };
  } catch (thrown) {
    return { fault: `This is not JSON yet. ${placeOf(String(thrown), text)}` };
  }
}

/** Engines tell the place in different words, and some not always. */
function placeOf(message: string, text: string): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
  if (Number.isNaN(position)) return "See its quotes, commas and brackets.";
  const before = text.slice(0, position).split("\n");
  return `See line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}

function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, ++depth);
    else if (token === "]" || token === "}") depth--;
  }
  return deepest;
}

const faulty = (field: DraftField, words: string): Reading => ({ state: "faulty", faults: { [field]: words } });

function mainField(draft: Draft): DraftField {
  if (draft.scanner === "transaction") return draft.json === null ? "to" : "json";
  return draft.scanner === "x402" ? "paymentRequired" : "text";
}

function filled<Name extends string>(names: readonly Name[]): Record<Name, string> {
  // The names are exactly the record's keys, which fromEntries cannot tell.
  return Object.fromEntries(names.map((name) => [name, ""])) as Record<Name, string>;
}

const NO_CALL = "Enter a destination or calldata: one of them is needed.";
