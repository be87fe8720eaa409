import type { View } from "./view.ts";

const [SPACE, JOINER, BLACK_FLAG] = [0x20, 0x200d, 0x1f3f4];
const smuggledMin = 4;

/** Collects text in characters that people do not see and models read: tags, and variation selectors as bytes. */
export class Smuggler {
  /** Only the first `count` entries belong to the current row. */
  private readonly units: number[] = [];
  private readonly places: number[] = [];
  private count = 0;
  private flag = false;

  /** The texts found are added to `views`. */
  constructor(private readonly views: View[]) {}

  /** Reads a character. Returns whether it is such an invisible one. */
  see(point: number, index: number, width: number): boolean {
    const unit = smuggledUnit(point);
    if (unit < 0) {
      if (point !== JOINER) this.flush();
      this.flag = point === BLACK_FLAG;
      return false;
    }
    if (this.count > 0 && index - (this.places[this.count * 2 - 1] ?? 0) > 2) this.flush();
    this.places[this.count * 2] = index;
    this.places[this.count * 2 + 1] = index + width;
    this.units[this.count++] = unit;
    return true;
  }

  flush(): void {
    // A black flag followed by tags is the flag of England, Scotland or Wales.
    if (!this.flag && this.count >= smuggledMin) this.add(this.units.slice(0, this.count));
    this.count = 0;
    this.flag = false;
  }

  private add(units: readonly number[]): void {
    const printable = units.filter((unit) => unit >= SPACE && unit < 127);
    if (printable.length < smuggledMin || printable.length * 2 < units.length) return;
    this.views.push({
      text: String.fromCharCode(...units.slice(0, 30_000)),
      from: Int32Array.from(units, (_, index) => this.places[index * 2] ?? 0),
      to: Int32Array.from(units, (_, index) => this.places[index * 2 + 1] ?? 0),
    });
  }
}

function smuggledUnit(point: number): number {
  if (point >= 0xe0000 && point <= 0xe007f) return point - 0xe0000;
  if (point >= 0xfe00 && point <= 0xfe0f) return point - 0xfe00;
  if (point >= 0xe0100 && point <= 0xe01ef) return point - 0xe0100 + 16;
  return -1;
}
