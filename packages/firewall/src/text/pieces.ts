import { derived, type View } from "./view.ts";

/** Builds a view from pieces, each of which maps to a part of the parent. */
export class Pieces {
  private text = "";
  private readonly ends: number[] = [];
  private readonly places: number[] = [];

  add(text: string, from: number, to: number): void {
    this.text += text;
    this.ends.push(this.text.length);
    this.places.push(from, to);
  }

  view(parent: View): View {
    const from = new Int32Array(this.text.length);
    const to = new Int32Array(this.text.length);
    let start = 0;
    for (let piece = 0; piece < this.ends.length; piece++) {
      const end = this.ends[piece] ?? start;
      from.fill(this.places[piece * 2] ?? 0, start, end);
      to.fill(this.places[piece * 2 + 1] ?? 0, start, end);
      start = end;
    }
    return derived(parent, this.text, from, to);
  }
}
