// Keccak-256 without a dependency, for addresses and code. Slow: meant for a few short inputs.
const RATE = 136;
const MASK = (1n << 64n) - 1n;

const rotate = (lane: bigint, shift: bigint): bigint => ((lane << shift) | (lane >> (64n - shift))) & MASK;

/** Constants of the 24 rounds, from the linear-feedback shift register of FIPS 202, section 3.2.5. */
const ROUNDS: readonly bigint[] = (() => {
  let register = 1;
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) {
      if (register & 1) constant |= 1n << BigInt(2 ** j - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    return constant;
  });
})();

const getLane = (lanes: readonly bigint[], index: number): bigint => lanes[index] ?? 0n;

/** Lane (x, y) is at x + 5y. */
function permute(state: readonly bigint[]): bigint[] {
  let a = [...state];
  for (const constant of ROUNDS) {
    const columns = [0, 1, 2, 3, 4].map(
      (x) => getLane(a, x) ^ getLane(a, x + 5) ^ getLane(a, x + 10) ^ getLane(a, x + 15) ^ getLane(a, x + 20),
    );
    a = a.map((lane, i) => lane ^ getLane(columns, (i + 4) % 5) ^ rotate(getLane(columns, (i + 1) % 5), 1n));
    const rotatedLanes = [...a];
    for (let x = 1, y = 0, step = 0, turns = 0; step < 24; step++) {
      turns += step + 1;
      const [nextX, nextY] = [y, (2 * x + 3 * y) % 5];
      rotatedLanes[nextX + 5 * nextY] = rotate(getLane(a, x + 5 * y), BigInt(turns % 64));
      [x, y] = [nextX, nextY];
    }
    a = rotatedLanes.map((lane, i) => {
      const row = i - (i % 5);
      return lane ^ (~getLane(rotatedLanes, row + ((i + 1) % 5)) & MASK & getLane(rotatedLanes, row + ((i + 2) % 5)));
    });
    a[0] = getLane(a, 0) ^ constant;
  }
  return a;
}

export function keccak256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((data.length + 1) / RATE) * RATE);
  padded.set(data);
  padded[data.length] = 1;
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  let state = Array.from({ length: 25 }, () => 0n);
  for (let block = 0; block < padded.length; block += RATE) {
    state = permute(state.map((lane, i) => (i < RATE / 8 ? lane ^ view.getBigUint64(block + 8 * i, true) : lane)));
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) digest.setBigUint64(8 * i, getLane(state, i), true);
  return new Uint8Array(digest.buffer);
}
