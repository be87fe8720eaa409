/** A size for people: 10 MB, 1.2 MB, 34 KB, 7 bytes. Rounded up, so that nothing reads as smaller than it is. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 1_024 * 1_000) return `${Math.ceil(bytes / 1_024)} KB`;
  return `${Math.ceil((bytes / 1_048_576) * 10) / 10} MB`;
}
