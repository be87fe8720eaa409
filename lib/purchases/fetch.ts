import { takeOutboundTurn } from "@/lib/payees/turns";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import { type Answered, createSend, type Send, type Unanswered } from "@/lib/platform/outbound";
import { purchaseErrors } from "./errors";
import { redirectOf } from "./rules";

/** A request to a seller. `body`: UTF-8 text. */
export type SellerRequest = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
};

export type Reached = Answered & { url: URL };

/** How the seller is reached. `isOwn`: it is this service, which may be paid in service credits. */
export type Way = { send?: Send; isOwn?: boolean };

/** A way to a seller, with the time until it must be done (Unix milliseconds). */
export type Path = { send: Send; isOwn: boolean; deadline: number };

const REDIRECTS_MAX = 5;
const REPLY_BYTES_MAX = 65_536;
const TOTAL_MS_MAX = 45_000;
const UNPAID_MS_MAX = 10_000;

/** Through the outbound guard, for at most 45 seconds in all. */
export const pathTo = ({ config }: System, { send = createSend(guard(config.mode)), isOwn = false }: Way): Path => ({
  send,
  isOwn,
  deadline: Date.now() + TOTAL_MS_MAX,
});

const guard = (mode: string) => ({ allowsLoopback: mode === "devnet", replyBytesMax: REPLY_BYTES_MAX });

/** Requests a URL without a payment and follows its redirects. Throws address_refused, url_unreachable, redirect_refused, rate_limited. */
export async function request(ctx: Ctx<Agent>, path: Path, asked: SellerRequest): Promise<Reached> {
  const before = async (url: URL) => (path.isOwn ? undefined : takeOutboundTurn(ctx, url));
  const reply = await follow(path, asked, { isPaying: false, before });
  if (reply === "refused") throw purchaseErrors.redirect_refused();
  if (!reply.isAnswered) {
    if (reply.why === "address_refused") throw purchaseErrors.address_refused();
    throw purchaseErrors.url_unreachable({ why: reply.why });
  }
  return reply;
}

/**
 * Presents a proof, within the origin that it was signed for. Never throws for what the seller does: without a response the
 * proof may still have arrived.
 */
export const present = (path: Path, asked: SellerRequest): Promise<Reached | Unanswered | "refused"> =>
  follow(path, asked, { isPaying: true, before: async () => {} });

async function follow(
  { send, deadline }: Path,
  { url: first, method, ...asked }: SellerRequest,
  { isPaying, before }: { isPaying: boolean; before: (url: URL) => Promise<void> },
): Promise<Reached | Unanswered | "refused"> {
  let url = first;
  let sent: Pick<SellerRequest, "headers" | "body"> = asked;
  for (let redirects = 0; ; redirects++) {
    const left = deadline - Date.now();
    if (left <= 0) return { isAnswered: false, why: "timeout" };
    await before(url);
    const reply = await send(url, {
      ...{ method, ...sent },
      msMax: isPaying ? left : Math.min(left, UNPAID_MS_MAX),
    });
    if (!reply.isAnswered) return reply;
    const next = redirectOf({ status: reply.status, location: reply.headers.location }, { url, method, isPaying });
    if (next === null) return { ...reply, url };
    if (next === "refused" || redirects === REDIRECTS_MAX) return "refused";
    // The caller's headers may hold a key for this origin only, and so may the body of a GET.
    if (next.origin !== url.origin) sent = { headers: {}, body: undefined };
    url = next;
    url.hash = "";
  }
}
