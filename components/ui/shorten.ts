/** Shortens an address, hash or id in the middle: 0x8f3C…21Ab. Short text is returned unchanged. */
export const shorten = (text: string): string => {
  const head = text.startsWith("0x") ? 6 : 8;
  return text.length <= head + 6 ? text : `${text.slice(0, head)}…${text.slice(-4)}`;
};
