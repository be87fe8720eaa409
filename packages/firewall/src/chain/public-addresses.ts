const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The number in base 58. */
export function base58Of(text: string): bigint {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(BASE58.indexOf(letter));
  return number;
}

/**
 * Whether the value is the address of an account or a contract, by its form and, on TON and Stellar, its checksum: EVM chains,
 * Starknet, Aptos and Sui, Solana, Tron, TON and Stellar.
 */
export function isPublicAddress(value: string): boolean {
  if (value.startsWith("0x")) return /^0x[\da-f]{40,64}(?:::\w{1,64}){0,2}$/i.test(value);
  if (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value)) return isTron(value) || is32Bytes(value);
  if (/^[EUk0]Q[\w-]{46}$/.test(value)) return isFriendly(bytesOf(value, BASE64URL, 6));
  return /^[CG][A-Z2-7]{55}$/.test(value) && isStrkey(bytesOf(value, BASE32, 5));
}

/** A number in base 58 without a 1 at its start, whose text compares as it does. */
function textOf(number: bigint): string {
  let text = "";
  for (let rest = number; rest > 0n; rest /= 58n) text = `${BASE58[Number(rest % 58n)]}${text}`;
  return text;
}

/** By number of bytes: the lowest and the highest text of a number that needs so many. */
const ranges = Array.from({ length: 33 }, (_, bytes) =>
  bytes === 0
    ? (["", ""] as const)
    : ([textOf(256n ** BigInt(bytes - 1)), textOf(256n ** BigInt(bytes) - 1n)] as const),
);

/** Solana's addresses are 32 bytes in base 58, where a 1 at the start is a zero byte. Not decoded: long texts have many. */
function is32Bytes(value: string): boolean {
  const zeros = /^1*/.exec(value)?.[0].length ?? 0;
  const [low, high] = ranges[32 - zeros] ?? ["", ""];
  const rest = value.slice(zeros);
  return isFrom(rest, low) && isFrom(high, rest);
}

const isFrom = (text: string, low: string): boolean =>
  text.length === low.length ? text >= low : text.length > low.length;

/** 25 bytes, of which the first is 0x41. */
const isTron = (value: string): boolean => value.length === 34 && value >= TRON_LOW && value <= TRON_HIGH;
const [TRON_LOW, TRON_HIGH] = [textOf(0x41n << 192n), textOf((0x42n << 192n) - 1n)];

/** TON: a tag, the workchain and 32 bytes, then their checksum. */
const isFriendly = (bytes: readonly number[]): boolean =>
  bytes.length === 36 && crc16(bytes.slice(0, 34)) === pairAt(bytes, 34);

/** Stellar: a version and 32 bytes, then their checksum, lower byte first. */
function isStrkey(bytes: readonly number[]): boolean {
  const check = pairAt(bytes, 33);
  return bytes.length === 35 && crc16(bytes.slice(0, 33)) === (((check & 0xff) << 8) | (check >> 8));
}

const pairAt = (bytes: readonly number[], index: number): number =>
  ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0);

function bytesOf(text: string, alphabet: string, bits: number): number[] {
  const bytes: number[] = [];
  let [held, count] = [0, 0];
  for (const letter of text) {
    held = ((held << bits) | alphabet.indexOf(letter)) & 0xfff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    bytes.push((held >> count) & 0xff);
  }
  return bytes;
}

/** CRC-16/XMODEM. */
function crc16(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc;
}
