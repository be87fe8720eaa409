import { z } from "zod";
import { decodeHeader } from "@/lib/x402/header";
import { jsonIn } from "@/lib/x402/required";
import { type Path, present, type Reached } from "./fetch";

/** A seller's response as the buyer sees it. */
export const storedAnswer = z.object({
  status: z.int(),
  contentType: z.string().nullable(),
  /** UTF-8 text; null if the body is not text. */
  body: z.string().nullable(),
  bytes: z.int(),
  /** The body is longer than what is kept. */
  isCut: z.boolean(),
});

export type StoredAnswer = z.output<typeof storedAnswer>;

const CONTENT_TYPE_CHARACTERS_MAX = 200;

/** Null if the body broke off. */
export function answerOf({ status, headers, bytes, end }: Reached): StoredAnswer | null {
  if (end === "broken") return null;
  const isCut = end === "too_large";
  const contentType = headers["content-type"]?.slice(0, CONTENT_TYPE_CHARACTERS_MAX) ?? null;
  return { status, contentType, body: textOf(bytes, isCut), bytes: bytes.length, isCut };
}

/** PostgreSQL and JSON can hold everything but NUL, which text does not contain. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    // A cut can be within a character, which `stream` holds back.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

const receipt = z.object({ success: z.boolean().optional() });

/** Whether a response to a proof is what was bought. A 2xx whose receipt says otherwise is not. */
export function isDelivery({ status, headers, end }: Reached): boolean {
  if (status < 200 || status >= 300 || end === "broken") return false;
  const said = receipt.safeParse(decodeHeader(headers["payment-response"] ?? headers["x-payment-response"] ?? ""));
  // 202 without a receipt: this service's sellers are still settling.
  return said.success ? said.data.success !== false : status !== 202;
}

const refusal = z.object({ error: z.string() });

/** Why a seller refused a proof, in its words: x402 v2 says so in a header, v1 in the body. Null if it says nothing. */
export function reasonIn({ headers, bytes }: Reached): string | null {
  const said = [decodeHeader(headers["payment-required"] ?? ""), jsonIn(bytes)].map((each) => refusal.safeParse(each));
  return said.find(({ success }) => success)?.data?.error ?? null;
}

const alreadyUsed = z.object({
  code: z.literal("PAYMENT_ALREADY_USED"),
  result: z.unknown().optional(),
  contentUrl: z.string().nullish(),
});

/** What an earlier presentation bought, if the seller sends it with its refusal (409), as this service's sellers do. */
export async function recovered(path: Path, reply: Reached): Promise<StoredAnswer | null> {
  const body = reply.status === 409 ? alreadyUsed.safeParse(jsonIn(reply.bytes)) : null;
  if (!body?.success) return null;
  const { result, contentUrl } = body.data;
  if (result !== undefined) return ofJson(result);
  const url = contentUrl && URL.canParse(contentUrl) ? new URL(contentUrl) : null;
  if (url?.origin !== reply.url.origin) return null;
  const headers = { accept: "application/json" };
  const content = await present(path, { url, method: "GET", headers, body: undefined });
  return content !== "refused" && content.isAnswered && content.status === 200 ? answerOf(content) : null;
}

function ofJson(value: unknown): StoredAnswer {
  const body = JSON.stringify(value);
  return { status: 200, contentType: "application/json", body, bytes: Buffer.byteLength(body), isCut: false };
}
