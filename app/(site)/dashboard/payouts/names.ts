import * as book from "@/lib/payouts/address-book/service";
import type { pageContext } from "@/lib/wiring";

export type Context = Awaited<ReturnType<typeof pageContext>>;
export type OwnerContext = Context & { actor: Extract<Context["actor"], { type: "owner" }> };

/** The owner's names of addresses. */
export const namesOf = async (ctx: OwnerContext): Promise<Map<string, string>> =>
  new Map((await book.list(ctx)).map(({ address, name }) => [address, name]));
