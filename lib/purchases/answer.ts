import { type ProofOutcome, type ProofResponse, readProofResponse, readReason } from "@tessera/x402/responses";
import { z } from "zod";
import { headerIn, jsonIn } from "@/lib/x402/required";
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

const responseOf = (reply: Reached): ProofResponse => ({
  status: reply.status,
  receipt: headerIn(reply, "payment-response" in reply.headers ? "payment-response" : "x-payment-response"),
  required: headerIn(reply, "payment-required"),
  body: jsonIn(reply.bytes),
  isOwn: false,
});

/** What was bought, as far as the response to the proof has it or says where it is. */
export async function deliveryIn(path: Path, reply: Reached): Promise<StoredAnswer | null> {
  const outcome = readProofResponse(responseOf(reply));
  if (outcome.type === "used") return recovered(path, reply.url, outcome);
  // An error with a receipt says that it is paid. What was bought may still follow.
  return outcome.type === "delivered" && reply.status >= 200 && reply.status < 300 ? answerOf(reply) : null;
}

/** Why a seller refused a proof, in its words. Undefined if it says nothing. */
export const reasonIn = (reply: Reached): string | undefined => readReason(responseOf(reply));

type Used = Extract<ProofOutcome, { type: "used" }>;

/** What an earlier presentation bought, if the seller sends it with its refusal, as this service's sellers do. */
async function recovered(path: Path, from: URL, { result, contentUrl }: Used): Promise<StoredAnswer | null> {
  if (result !== undefined) return ofJson(result);
  const url = contentUrl !== undefined && URL.canParse(contentUrl) ? new URL(contentUrl) : null;
  if (url?.origin !== from.origin) return null;
  const headers = { accept: "application/json" };
  const content = await present(path, { url, method: "GET", headers, body: undefined });
  return content !== "refused" && content.isAnswered && content.status === 200 ? answerOf(content) : null;
}

function ofJson(value: unknown): StoredAnswer {
  const body = JSON.stringify(value);
  return { status: 200, contentType: "application/json", body, bytes: Buffer.byteLength(body), isCut: false };
}
