/** Bytes in base64, a zero byte standing for as many zeros as the byte after it says. */
export function unpacked(text: string, length: number): Int8Array {
  const bytes = atob(text);
  const weights = new Int8Array(length);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (byte === 0) at += bytes.charCodeAt(++i);
    else weights[at++] = byte;
  }
  return weights;
}
