/** Opens the palette from any button: the palette is rendered once, by the layout. */
const EVENT = "tessera:search";

export const openPalette = (): boolean => window.dispatchEvent(new Event(EVENT));

export function onPalette(open: () => void): () => void {
  window.addEventListener(EVENT, open);
  return () => window.removeEventListener(EVENT, open);
}
