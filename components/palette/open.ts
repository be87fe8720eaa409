/** How a button anywhere in the frame opens the palette, which is drawn once. */
const EVENT = "tessera:search";

export const openPalette = (): boolean => window.dispatchEvent(new Event(EVENT));

export function onPalette(open: () => void): () => void {
  window.addEventListener(EVENT, open);
  return () => window.removeEventListener(EVENT, open);
}
