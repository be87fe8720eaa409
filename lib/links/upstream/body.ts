import { DELIVERY_SECONDS } from "./limits";
import { hasSecret, heldBack } from "./rules";

const PIECE_BYTES = 65_536;

/** An answer on its way to the buyer. */
export type AnswerBody = {
  stream: ReadableStream<Uint8Array>;
  /** `bytes`: all of the answer until now. */
  arrive: (bytes: Buffer) => void;
  /** All has arrived. The buyer has a limited time for the rest. */
  end: () => void;
  /** Breaks the stream off. */
  fail: () => void;
  /** Whether the buyer has a part of it, or had it before they left. */
  hasBegun: () => boolean;
  /** Whether the buyer was there when the stream broke off, and had taken all that had arrived and was something. */
  wasTaken: () => boolean;
  /** Resolves when the buyer has all or has left, or the stream broke off. */
  over: Promise<void>;
};

/**
 * The stream takes a piece when the reader wants one; until then, the bytes are only in the buffer that the upstream fills. It has none of
 * `hidden`: what could be the beginning of one waits for its continuation.
 */
export function createBody(hidden: readonly Buffer[] = []): AnswerBody {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let arrived: Buffer = Buffer.alloc(0);
  let passedBytes = 0;
  let hasEnded = false;
  let wasTaken = false;
  let timer: NodeJS.Timeout | undefined;
  let resolve = () => {};
  const over = new Promise<void>((done) => {
    resolve = done;
  });
  const stream = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened;
    },
    pull: pass,
    cancel: leave,
  });

  function leave(): void {
    clearTimeout(timer);
    controller = null;
    resolve();
  }

  function fail(): void {
    const rest = arrived.subarray(passedBytes);
    // With nothing in the stream's queue, the reader waits for more.
    wasTaken = passedBytes > 0 && (controller?.desiredSize ?? 0) > 0 && heldBack(rest, hidden) === rest.length;
    controller?.error(new Error("the answer broke off"));
    leave();
  }

  function pass(): void {
    const opened = controller;
    if (!opened || (opened.desiredSize ?? 0) <= 0) return;
    const piece = arrived.subarray(passedBytes, passedBytes + PIECE_BYTES);
    if (hasSecret(piece, hidden)) {
      fail();
      return;
    }
    const isLast = hasEnded && passedBytes + piece.length === arrived.length;
    const length = piece.length - (isLast ? 0 : heldBack(piece, hidden));
    passedBytes += length;
    // Zero-length pieces are not allowed to become chunks: some readers take them for the end.
    if (length > 0) opened.enqueue(piece.subarray(0, length));
    // For a reader who waits, `enqueue` has called this function again, which may have closed the stream.
    if (!isLast || controller !== opened) return;
    opened.close();
    leave();
  }

  return {
    stream,
    arrive: (bytes) => {
      arrived = bytes;
      pass();
    },
    end: () => {
      hasEnded = true;
      if (!controller) return;
      timer = setTimeout(fail, DELIVERY_SECONDS * 1_000).unref();
      pass();
    },
    fail,
    hasBegun: () => passedBytes > 0,
    wasTaken: () => wasTaken,
    over,
  };
}
