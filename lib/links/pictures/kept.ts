/** Values of at most `bytesMax` bytes in total, the least recently used first to go. */
export function keepBytes(bytesMax: number) {
  const buffers = new Map<string, ArrayBuffer>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= buffers.get(key)?.byteLength ?? 0;
    buffers.delete(key);
  }

  return {
    get(key: string): ArrayBuffer | null {
      const value = buffers.get(key);
      if (!value) return null;
      buffers.delete(key);
      buffers.set(key, value);
      return value;
    },
    set(key: string, value: ArrayBuffer): void {
      forget(key);
      if (value.byteLength > bytesMax) return;
      buffers.set(key, value);
      bytes += value.byteLength;
      for (const oldest of buffers.keys()) {
        if (bytes <= bytesMax) break;
        forget(oldest);
      }
    },
  };
}
