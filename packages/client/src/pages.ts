import type { Json } from "./transport.ts";

export type Page<V> = { items: V[]; nextCursor: string | null };

/**
 * A paginated list, newest first unless stated otherwise. `for await` reads all pages; `page` reads one, without a cursor the first.
 * Throws TesseraError.
 *
 * @example
 * for await (const { linkId, useCount } of tessera.links.list()) console.log(linkId, useCount);
 * const first = await tessera.links.list({ limit: 10 }).page();
 * if (first.nextCursor !== null) await tessera.links.list({ limit: 10 }).page(first.nextCursor);
 */
export type List<V> = AsyncIterable<V> & { page(cursor?: string): Promise<Page<V>> };

/** Builds a list from `load`, which returns the page at a cursor with its items in `member`. */
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
