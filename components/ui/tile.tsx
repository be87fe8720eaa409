import { cx } from "./cx";

export type TileProps = { seed: string; size?: number | undefined; className?: string | undefined };

/** A symmetric 5×5 pattern that identifies an address or agent, generated from a seed. Decorative: its text is next to it. */
export function Tile({ seed, size = 34, className }: TileProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 5 5"
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className={cx("shrink-0 rounded-[24%] bg-sunk text-brand", className)}
    >
      {stones(seed).map(({ x, y, strength }) => (
        <rect key={`${x}${y}`} x={x} y={y} width={1} height={1} fill="currentColor" fillOpacity={strength} />
      ))}
    </svg>
  );
}

type Stone = { x: number; y: number; strength: number };

function stones(seed: string): Stone[] {
  const next = random(seed.toLowerCase());
  const grid: Stone[] = [];
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 3; x++) {
      const strength = STRENGTHS[next() % STRENGTHS.length] ?? 0;
      if (strength === 0) continue;
      grid.push({ x, y, strength });
      if (x < 2) grid.push({ x: 4 - x, y, strength });
    }
  }
  return grid;
}

/** FNV-1a into xorshift32: not for security; similar addresses must only look different. */
function random(text: string) {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  state = state || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 8) & 0xffff;
  };
}

const STRENGTHS = [0, 0, 0, 1, 1, 0.72, 0.4] as const;
