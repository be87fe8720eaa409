import { changePayeeLists, listPayeeLists, toListsResponse } from "@/lib/payees/lists/contract";
import * as lists from "@/lib/payees/lists/service";
import { route } from "@/lib/wiring";

export const GET = route(listPayeeLists, async (ctx) => toListsResponse(await lists.listOwned(ctx)));

export const POST = route(changePayeeLists, async (ctx, { body }) => toListsResponse(await lists.change(ctx, body)));
