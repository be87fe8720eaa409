import type { Draw } from "./random.ts";
import { splitForms } from "./split.ts";

/** The surroundings in which attacks occur (mails, pages, code, tool output) and misspellings. Harmless texts get the same ones. */

const subjects = splitForms(`
  Invoice 4431 | Lunch on Thursday | Re: your order | Minutes of the call | Password policy | Offer
`);
const names = ["Anna", "Mr Ortiz", "the support team", "Li Wei", "Priya", "your landlord", "Tom from sales"];
const filler = splitForms(`
  The quarterly figures are attached. | Our hotel has a pool and free parking. | The battery lasts two days. |
  Delivery takes three to five working days. | The board met on Monday and approved the plan. | This recipe serves four people. |
  The library supports Node 20 and later. | Rated 4 of 5 by 212 customers. | Returns the number of rows that were changed. |
  I studied economics and worked at a bank for six years. | The museum is closed on Mondays. | Rain is expected in the north. |
  Bring a coat, it will be cold. | The package arrived damaged and I would like a refund.
`);

/** `*` is replaced by the text, `~` by ordinary text, `%` by a name and `#` by a subject. */
const carriers = [
  "~ * ~",
  "~\n\n*",
  "*\n\n~",
  "~ ~ *",
  "~\n*\n~ ~",
  "Hi %,\n\n~\n*\n\nBest regards,\n%",
  "From: %\nSubject: #\n\n~ *",
  "Subject: #\n\n* ~",
  "<div><h1>#</h1><p>~</p></div><!-- * -->",
  "<p>~</p><p>*</p><p>~</p>",
  '<span title="*">~</span>',
  "# #\n\n~\n\n> *\n\n~",
  "[//]: # (*)\n~",
  "// *\nfunction sum(a, b) { return a + b; }",
  "def load(path):\n    # *\n    return open(path).read()",
  "/* * */\n.button { color: blue; }",
  '{"status":"ok","result":"~","note":"*"}',
  '{"title":"#","description":"*"}',
  "Observation: ~ *",
  "Tool output: ~\n*",
  "Search result 1: ~\nSearch result 2: *",
  "Event: #\nWhere: room 4\nDescription: *",
  "Review by %: ~ *",
  "Name: %\nSkills: Excel, SQL\nAbout me: ~ *",
  "Transcript:\n%: ~\n%: *",
  "Ticket 8812 opened by %: * ~",
  "Commit message: *",
  "Translate the following text: ~ *",
  "Summarise this article: ~ * ~",
  'Is the following sentence positive or negative? "*"',
  "| item | note |\n|---|---|\n| # | * |",
];

/** The text inside a random carrier. */
export function carried(draw: Draw, text: string): string {
  return draw(carriers)
    .replaceAll("~", () => draw(filler))
    .replaceAll("%", () => draw(names))
    .replaceAll("#", () => draw(subjects))
    .replace("*", () => text);
}

/** Misspells one to three of the longer words: drops a letter, doubles it, or swaps it with the next. */
export function misspelt(draw: Draw, text: string): string {
  const words = text.split(" ");
  for (let times = draw([1, 2, 3]); times > 0; times--) {
    const at = draw([...words.keys()]);
    const word = words[at] ?? "";
    if (word.length < 5) continue;
    const i = draw([...word].map((_, place) => place).slice(1, -2));
    words[at] = draw([
      word.slice(0, i) + word.slice(i + 1),
      word.slice(0, i) + word.charAt(i) + word.slice(i),
      word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2),
    ]);
  }
  return words.join(" ");
}
