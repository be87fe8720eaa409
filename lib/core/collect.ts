/**
 * Joins chunks up to `bytesMax`; returns all bytes until now. One growing buffer, because each chunk can be one byte that keeps a far
 * larger block of the socket in memory.
 */
export function collector(bytesMax: number): (chunk: Uint8Array) => Buffer {
  let buffer = Buffer.alloc(0);
  let size = 0;
  return (chunk) => {
    const wanted = Math.min(size + chunk.length, bytesMax);
    if (wanted > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(bytesMax, Math.max(wanted, 2 * buffer.length)));
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    buffer.set(chunk.subarray(0, wanted - size), size);
    size = wanted;
    return buffer.subarray(0, size);
  };
}
