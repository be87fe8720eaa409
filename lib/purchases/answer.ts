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
  /** The body exceeded the size limit, and its end is missing. */
  isCut: z.boolean(),
});

export type StoredAnswer = z.output<typeof storedAnswer>;

const CONTENT_TYPE_CHARACTERS_MAX = 200;

/** Null if the connection ended before the body did. */
export function answerOf({ status, headers, bytes, end }: Reached): StoredAnswer | null {
  if (end === "broken") return null;
  const isCut = end === "too_large";
  const contentType = headers["content-type"]?.slice(0, CONTENT_TYPE_CHARACTERS_MAX) ?? null;
  return { status, contentType, body: textOf(bytes, isCut), bytes: bytes.length, isCut };
}

/** Null if the bytes are not UTF-8. A body with NUL counts as binary: PostgreSQL cannot store NUL in text. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    // The cut can be inside a character; `stream` omits the incomplete one.
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

/** The purchased content: in the response to the proof, or at the URL that the response names. Null if there is none yet. */
export async function deliveryIn(path: Path, reply: Reached): Promise<StoredAnswer | null> {
  const outcome = readProofResponse(responseOf(reply));
  if (outcome.type === "used") return recovered(path, reply.url, outcome);
  // An error with a receipt means that the payment is settled. The content may still follow.
  return outcome.type === "delivered" && reply.status >= 200 && reply.status < 300 ? answerOf(reply) : null;
}

/** The seller's stated reason for refusing a proof; undefined if there is none. */
export const reasonIn = (reply: Reached): string | undefined => readReason(responseOf(reply));

type Used = Extract<ProofOutcome, { type: "used" }>;

/** The content that an earlier presentation bought, if the seller's refusal has it, as refusals of this service do. */
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
