/**
 * Returns a function that calls `loadResult` at most once per `ms`. Its callers share one promise, even while the call takes longer
 * than `ms`: only one call runs at a time. A rejected promise is not kept.
 */
export function shareFor<T>(ms: number, loadResult: () => Promise<T>, clock: () => number = () => performance.now()) {
  let reading: Promise<T> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;
  return (): Promise<T> => {
    if (reading !== null && (isUnderWay || clock() < freshUntil)) return reading;
    isUnderWay = true;
    freshUntil = clock() + ms;
    const started = loadResult();
    reading = started;
    started.then(
      () => {
        isUnderWay = false;
      },
      () => {
        isUnderWay = false;
        reading = null;
      },
    );
    return started;
  };
}
