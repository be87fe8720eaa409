import { edgeErrors } from "@/lib/http/errors";

/** Each open download holds a few hundred kilobytes while its client reads. */
const OPEN_PER_ADDRESS = 12;
const OPEN_PER_SALE = 4;
const WHOLE_MS = 600_000;
const RETRY_SECONDS = 10;

/** Open downloads by address and by sale. */
const counts = new Map<string, number>();

export type Downloader = { caller: string; sale: string };

/**
 * Streams `parts` at the client's pace. The download counts as open until it is complete, the client disconnects, or `ms` have
 * passed. Throws rate_limited if the address or the sale has too many open downloads.
 */
export function streamOf(
  { caller, sale }: Downloader,
  parts: AsyncGenerator<Uint8Array>,
  ms = WHOLE_MS,
): ReadableStream<Uint8Array> {
  const leave = enter([
    [`address ${caller}`, OPEN_PER_ADDRESS],
    [`sale ${sale}`, OPEN_PER_SALE],
  ]);
  let timer: NodeJS.Timeout;
  const end = () => {
    clearTimeout(timer);
    leave();
  };
  return new ReadableStream(
    {
      start(controller) {
        timer = setTimeout(() => {
          leave();
          controller.error(new Error("the download took too long"));
        }, ms).unref();
      },
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

function enter(places: readonly (readonly [key: string, max: number])[]): () => void {
  const open = (key: string) => counts.get(key) ?? 0;
  if (places.some(([key, max]) => open(key) >= max))
    throw edgeErrors.rate_limited({ retryAfterSeconds: RETRY_SECONDS });
  for (const [key] of places) counts.set(key, open(key) + 1);
  let isIn = true;
  return () => {
    if (!isIn) return;
    isIn = false;
    for (const [key] of places) {
      if (open(key) > 1) counts.set(key, open(key) - 1);
      else counts.delete(key);
    }
  };
}
