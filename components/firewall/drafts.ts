import type { PromptInput } from "@tessera/firewall";
import { JsonError, type JsonFault, parseJson } from "@/lib/core/json";
import { type Fields, isRecord } from "@/lib/core/record";

const TRANSACTION_FIELDS = ["chainId", "to", "data", "valueWei", "function", "amount", "context"] as const;
export const EXPECTED_FIELDS = ["network", "maxAmountAtomic", "payTo", "asset", "resource"] as const;

export type TransactionField = (typeof TRANSACTION_FIELDS)[number];
export type TransactionFields = Record<TransactionField, string>;
export type ExpectedField = (typeof EXPECTED_FIELDS)[number];
export type ExpectedFields = Record<ExpectedField, string>;

/** An input while it is being edited. A transaction is edited field by field, or as JSON if `json` is not null. */
export type TransactionDraft = { scanner: "transaction"; fields: TransactionFields; json: string | null };
export type X402Draft = { scanner: "x402"; paymentRequired: string; expected: ExpectedFields };
export type PromptDraft = { scanner: "prompt"; text: string; source: string };
export type Draft = TransactionDraft | X402Draft | PromptDraft;

/** The request body, for the service and for the local engine. */
export type ScanRequest =
  | { scanner: "transaction"; body: Fields }
  | { scanner: "x402"; body: Fields }
  | { scanner: "prompt"; body: PromptInput };

export type DraftField = "chainId" | "to" | "json" | "paymentRequired" | "text";
/** An error message per field. */
export type Faults = { readonly [Field in DraftField]?: string };

export type Reading = { type: "empty" } | { type: "invalid"; faults: Faults } | { type: "valid"; request: ScanRequest };

export const EMPTY = {
  transaction: { scanner: "transaction", fields: filled(TRANSACTION_FIELDS), json: null },
  x402: { scanner: "x402", paymentRequired: "", expected: filled(EXPECTED_FIELDS) },
  prompt: { scanner: "prompt", text: "", source: "" },
} as const satisfies Record<Draft["scanner"], Draft>;

export const TEXT_CHARACTERS_MAX = 24_000;

/**
 * Builds the request of a draft. Unreadable JSON and an oversized body are faults here. Schema errors come from the engine
 * and become faults through `buildRefusal`.
 */
export function readDraft(draft: Draft, bodyBytesMax: number): Reading {
  const reading = readRequest(draft);
  if (reading.type !== "valid") return reading;
  const bytes = new TextEncoder().encode(JSON.stringify(reading.request.body)).length;
  if (bytes <= bodyBytesMax) return reading;
  const [most, has] = [Math.floor(bodyBytesMax / 1024), Math.ceil(bytes / 1024)];
  return faulty(mainField(draft), `The service reads ${most} KB at most, and this request has ${has} KB.`);
}

/** The fault of a draft whose request fails the service's schema. */
export const buildRefusal = (draft: Draft, message: string): Reading => faulty(mainField(draft), message);

/** Switches between JSON and form fields; null when the JSON contains something that the form has no field for. */
export function turnOver({ fields, json }: TransactionDraft): TransactionDraft | null {
  if (json === null) return { scanner: "transaction", fields, json: JSON.stringify(bodyOf(fields), null, 2) };
  if (json.trim() === "") return EMPTY.transaction;
  const parsed = parse(json);
  if (parsed.type === "invalid" || !isRecord(parsed.value)) return null;
  const turned: Partial<TransactionFields> = {};
  for (const [name, value] of Object.entries(parsed.value)) {
    const field = TRANSACTION_FIELDS.find((candidate) => candidate === name);
    const isText = typeof value === "string" || (field === "chainId" && Number.isSafeInteger(value));
    if (field === undefined || !isText) return null;
    turned[field] = String(value);
  }
  return { scanner: "transaction", fields: { ...EMPTY.transaction.fields, ...turned }, json: null };
}

function readRequest(draft: Draft): Reading {
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
  if (Object.values(fields).every((value) => value.trim() === "")) return { type: "empty" };
  const chainId = fields.chainId.trim();
  if (chainId !== "" && !/^\d{1,15}$/.test(chainId)) {
    return faulty("chainId", "A chain's id is a whole number: 8453 is Base.");
  }
  if (fields.to.trim() === "" && fields.data.trim() === "") return faulty("to", NO_CALL);
  return { type: "valid", request: { scanner: "transaction", body: bodyOf(fields) } };
}

/** Trims values, which are often pasted with spaces around them. The context is kept unchanged. */
function bodyOf(fields: TransactionFields): Fields {
  const filledEntries = Object.entries(fields).flatMap(([name, value]) =>
    value.trim() === "" ? [] : [[name, value.trim()]],
  );
  const body: Fields = Object.fromEntries(filledEntries);
  return /^\d{1,15}$/.test(fields.chainId.trim()) ? { ...body, chainId: Number(fields.chainId) } : body;
}

function readJson(json: string): Reading {
  if (json.trim() === "") return { type: "empty" };
  const parsed = parse(json);
  if (parsed.type === "invalid") return faulty("json", parsed.fault);
  if (!isRecord(parsed.value)) return faulty("json", "The request is a JSON object, in braces.");
  return { type: "valid", request: { scanner: "transaction", body: parsed.value } };
}

function readRequirement({ paymentRequired, expected }: X402Draft): Reading {
  const expectedEntries = Object.entries(expected).flatMap(([name, value]) =>
    value.trim() === "" ? [] : [[name, value.trim()] as const],
  );
  if (paymentRequired.trim() === "") {
    return expectedEntries.length === 0
      ? { type: "empty" }
      : faulty("paymentRequired", "Paste the body of the 402 response.");
  }
  const parsed = parse(paymentRequired);
  if (parsed.type === "invalid") return faulty("paymentRequired", parsed.fault);
  // Parsed as one text, as the service does: the outer braces count towards the nesting limit.
  const parsedRequest = parse(
    `{"paymentRequired":${paymentRequired}${expectedEntries.length > 0 ? `,"expected":${JSON.stringify(Object.fromEntries(expectedEntries))}` : ""}}`,
  );
  if (parsedRequest.type === "invalid" || !isRecord(parsedRequest.value))
    return faulty("paymentRequired", JSON_FAULTS.too_deep);
  return { type: "valid", request: { scanner: "x402", body: parsedRequest.value } };
}

function readText({ text, source }: PromptDraft): Reading {
  if (text === "") return source.trim() === "" ? { type: "empty" } : faulty("text", "Paste the text to scan.");
  const length = [...text].length;
  if (length > TEXT_CHARACTERS_MAX) {
    const [most, has] = [TEXT_CHARACTERS_MAX, length].map((count) => count.toLocaleString("en-US"));
    return faulty("text", `The service reads ${most} characters at most, and this text has ${has}.`);
  }
  if (!text.isWellFormed()) return faulty("text", "The text holds half a character (a lone surrogate).");
  return {
    type: "valid",
    request: { scanner: "prompt", body: { text, ...(source.trim() !== "" && { source: source.trim() }) } },
  };
}

/** Parses JSON by the service's rules. */
function parse(text: string): { type: "valid"; value: unknown } | { type: "invalid"; fault: string } {
  try {
    return { type: "valid", value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const fault = error.fault === "syntax" ? `This is not JSON yet. ${placeIn(text)}` : JSON_FAULTS[error.fault];
    return { type: "invalid", fault };
  }
}

const JSON_FAULTS: Record<Exclude<JsonFault, "syntax">, string> = {
  duplicate_key: "A member is named twice, which two readers could understand differently.",
  too_deep: "Nested too deeply for the service to read.",
  reserved_key: "The service reads no member named __proto__, constructor or prototype.",
};

/** JavaScript engines word the position differently, and some omit it. */
function placeIn(text: string): string {
  const position = Number(/position (\d+)/.exec(syntaxErrorOf(text))?.[1] ?? Number.NaN);
  if (Number.isNaN(position)) return "See its quotes, commas and brackets.";
  const lines = text.slice(0, position).split("\n");
  return `See line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}.`;
}

function syntaxErrorOf(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return String(error);
  }
}

const faulty = (field: DraftField, message: string): Reading => ({ type: "invalid", faults: { [field]: message } });

function mainField(draft: Draft): DraftField {
  if (draft.scanner === "transaction") return draft.json === null ? "to" : "json";
  return draft.scanner === "x402" ? "paymentRequired" : "text";
}

function filled<Name extends string>(names: readonly Name[]): Record<Name, string> {
  // The names are exactly the record's keys; the type of fromEntries does not express that.
  return Object.fromEntries(names.map((name) => [name, ""])) as Record<Name, string>;
}

const NO_CALL = "Enter a destination or calldata: one of them is needed.";
