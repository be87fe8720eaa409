import type { Json } from "./transport.ts";

export type Page<V> = { items: V[]; nextCursor: string | null };

/** A list, newest first: `for await (const item of list)` reads all pages, `page` one. */
export type List<V> = AsyncIterable<V> & { page(cursor?: string): Promise<Page<V>> };

/** The list whose pages `load` returns, with the items in `member`. */
export function pages<V>(load: (cursor?: string) => Promise<Json>, member: string): List<V> {
  const page = async (cursor?: string): Promise<Page<V>> => {
    const body = await load(cursor);
    return { items: body[member] as V[], nextCursor: body.nextCursor as string | null };
  };
  return {
    page,
    async *[Symbol.asyncIterator]() {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { items, nextCursor } = await page(cursor);
        yield* items;
        cursor = nextCursor;
      }
    },
  };
}
