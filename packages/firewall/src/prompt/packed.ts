/** Decodes base64 bytes: a bit for each weight, whether it is not zero, then those that are not. */
export function unpacked(text: string, length: number): Int8Array {
  const bytes = atob(text);
  const weights = new Int8Array(length);
  let next = length >> 3;
  for (let i = 0; i < length; i++)
    if ((bytes.charCodeAt(i >> 3) & (1 << (i & 7))) !== 0) weights[i] = bytes.charCodeAt(next++);
  return weights;
}
