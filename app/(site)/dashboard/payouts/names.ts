import * as book from "@/lib/payouts/address-book/service";
import type { OwnerContext } from "../../context";

/** The owner's names of addresses. */
export const namesOf = async (ctx: OwnerContext): Promise<Map<string, string>> =>
  new Map((await book.list(ctx)).map(({ address, name }) => [address, name]));
