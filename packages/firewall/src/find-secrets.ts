import { wordsOf } from "./prompt/read-words.ts";
import { merged, secretsIn } from "./secrets/secrets.ts";
import { clean } from "./text/unfold.ts";

/** A secret at a place of the text, in UTF-16 units. `isWallet`: it moves money by itself. */
export type FoundSecret = { start: number; end: number; line: number; isWallet: boolean };

/** The secrets in a text of any kind, such as a source file. A line with `firewall:allow` is skipped. */
export function findSecrets(text: string): FoundSecret[] {
  const { view } = clean(text);
  const all = secretsIn(view, wordsOf(view.text));
  const secrets: FoundSecret[] = [];
  let [line, index] = [1, 0];
  for (const { start, end } of merged(all)) {
    for (let next = text.indexOf("\n", index); next !== -1 && next < start; next = text.indexOf("\n", index)) {
      line++;
      index = next + 1;
    }
    const lineEnd = text.indexOf("\n", start);
    if (text.slice(index, lineEnd === -1 ? text.length : lineEnd).includes(ALLOWED)) continue;
    const isWallet = all.some((one) => one.isWallet && one.start < end && start < one.end);
    secrets.push({ start, end, line, isWallet });
  }
  return secrets;
}

const ALLOWED = "firewall:allow";
