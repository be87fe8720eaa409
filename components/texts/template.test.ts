import { describe, expect, test } from "vitest";
import { filled } from "./filled";
import { english, fill, fillCount, partsOf, translation } from "./template";

const en = english({
  close: "Close",
  paid: "You paid {sum}",
  soon: "In {time} back to {host}",
  days: { one: "{count} day for {name}", other: "{count} days for {name}" },
});
type Texts = typeof en;

const de = translation<Texts>()({
  close: "Schließen",
  paid: "Sie haben {sum} bezahlt",
  soon: "Zurück zu {host} in {time}",
  days: { one: "{count} Tag für {name}", other: "{count} Tage für {name}" },
});

describe("a text with placeholders", () => {
  test("is filled once, and inserted text is not parsed again", () => {
    expect(fill(en.paid, { sum: "1.25 USDC" })).toBe("You paid 1.25 USDC");
    expect(fill(de.soon, { time: 5, host: "{time}$&" })).toBe("Zurück zu {time}$& in 5");
  });

  test("requires exactly its values", () => {
    // @ts-expect-error A value is missing.
    expect(fill(en.soon, { time: 5 })).toBe("In 5 back to undefined");
    // @ts-expect-error A name is misspelt.
    expect(fill(en.paid, { summ: "1" })).toBe("You paid undefined");
    // @ts-expect-error It has no placeholders.
    expect(fill(en.close, {})).toBe("Close");
    // @ts-expect-error It cannot be shown before it is filled.
    const shownText: string = en.paid;
    expect(shownText).toBe("You paid {sum}");
  });

  test("can have elements between its parts", () => {
    expect(partsOf(de.soon)).toEqual(["Zurück zu ", "host", " in ", "time", ""]);
    expect(JSON.stringify(filled(en.paid, { sum: "1" }))).toContain('"You paid "');
  });
});

describe("a text with a count", () => {
  test.each([
    [0, "0 days for A", "0 Tage für A"],
    [1, "1 day for A", "1 Tag für A"],
    [2, "2 days for A", "2 Tage für A"],
    [1_234, "1,234 days for A", "1.234 Tage für A"],
  ])("of %i has the right form in each language", (count, english, german) => {
    expect(fillCount("en", en.days, count, { name: "A" })).toBe(english);
    expect(fillCount("de", de.days, count, { name: "A" })).toBe(german);
  });
});

test("a translation has the same keys and placeholders as the original", () => {
  const translated = translation<{ close: Texts["close"]; paid: Texts["paid"] }>();
  // @ts-expect-error A key is missing.
  translated({ close: "Schließen" });
  // @ts-expect-error There is no such key.
  translated({ close: "Schließen", paid: "{sum}", more: "Mehr" });
  // @ts-expect-error The placeholder is missing.
  translated({ close: "Schließen", paid: "Bezahlt" });
  // @ts-expect-error The placeholder has another name.
  translated({ close: "Schließen", paid: "{summe} bezahlt" });
  // @ts-expect-error A placeholder too many.
  translated({ close: "Schließen", paid: "{sum} {host} bezahlt" });
  // @ts-expect-error The original has no placeholder.
  translated({ close: "{sum} schließen", paid: "{sum} bezahlt" });
  expect(translated({ close: "Schließen", paid: "{sum} bezahlt" }).close).toBe("Schließen");
});
