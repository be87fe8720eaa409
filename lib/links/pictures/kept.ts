/** Values of at most `bytesMax` bytes in total, the least recently used first to go. */
export function keepBytes(bytesMax: number) {
  const kept = new Map<string, ArrayBuffer>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.byteLength ?? 0;
    kept.delete(key);
  }

  return {
    get(key: string): ArrayBuffer | null {
      const value = kept.get(key);
      if (!value) return null;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key: string, value: ArrayBuffer): void {
      forget(key);
      if (value.byteLength > bytesMax) return;
      kept.set(key, value);
      bytes += value.byteLength;
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax) break;
        forget(oldest);
      }
    },
  };
}
