import type { OwnerId } from "@/lib/core/ids";
import type { Tx } from "@/lib/platform/db";
import { type Day, lastAfter, numberText, readNumber, yearOf } from "./rules";
import * as store from "./store";

/** The number that was given, or the next one of the owner's year. */
export async function numberOf(
  tx: Tx,
  ownerId: OwnerId,
  requestedNumber: string | null,
  issueDate: Day,
): Promise<string> {
  if (requestedNumber === null) return nextNumber(tx, ownerId, yearOf(issueDate));
  const automatic = readNumber(requestedNumber);
  if (automatic) {
    const last = await store.lockNumbers(tx, ownerId, automatic.year);
    await store.setLastNumber(tx, ownerId, automatic.year, lastAfter(last, automatic.count));
  }
  return requestedNumber;
}

/** How many numbers are looked up at a time. */
const AT_ONCE = 100n;

/** The first number after the owner's last automatic one that no invoice has. Given ones may be anywhere. */
async function nextNumber(tx: Tx, ownerId: OwnerId, year: number): Promise<string> {
  let last = await store.lockNumbers(tx, ownerId, year);
  while (true) {
    const numbers: string[] = [];
    for (let count = last + 1n; count <= last + AT_ONCE; count++) numbers.push(numberText(year, count));
    const usedNumbers = await store.takenOf(tx, ownerId, numbers);
    for (const number of numbers) {
      last += 1n;
      if (usedNumbers.has(number)) continue;
      await store.setLastNumber(tx, ownerId, year, last);
      return number;
    }
  }
}
