/**
 * A function that calls `loadResult` at most once in `ms`: all of its callers in that time get the same promise, also while the reading is
 * slow, so that never more than one is under way. A failed reading is not kept.
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
