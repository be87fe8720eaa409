/** Decodes base64 bytes. A zero byte is followed by the number of zeros that it represents. */
export function unpacked(text: string, length: number): Int8Array {
  const bytes = atob(text);
  const weights = new Int8Array(length);
  let index = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (byte === 0) index += bytes.charCodeAt(++i);
    else weights[index++] = byte;
  }
  return weights;
}
