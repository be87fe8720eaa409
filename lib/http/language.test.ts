import { describe, expect, test } from "vitest";
import { isForBuyers, languageOf, preferredLanguage, requestedLanguage } from "./language";

describe("the preferred language of a browser", () => {
  test.each([
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["en-GB,en;q=0.9,de;q=0.8", "en"],
    ["fr,de;q=0.5,en;q=0.4", "de"],
    ["en;q=0.4, de;q=0.5", "de"],
    ["de;q=0.5,en;q=0.5", "de"],
    ["DE-de", "de"],
    ["de;q=0,en;q=0.1", "en"],
    ["de; q=0.300, en; q = 0.2", "de"],
    ["*", "en"],
    ["*;q=0.5,de;q=0.4", "en"],
    ["*,en;q=0,de;q=0.1", "de"],
    ["fr,*;q=0.1", "en"],
    ["de;q=1.5,en;q=0.1", "en"],
    ["de;q=,en;q=0.1", "en"],
    ["de;level=1;q=0.2,en;q=0.1", "de"],
  ])("in the header %s is %s", (header, language) => expect(preferredLanguage(header)).toBe(language));

  test.each(["", "fr", "fr,nl;q=0.9", "de;q=0", "deutsch", "den", ";;;", ",,,", "q=1"])(
    "is missing in the header %j",
    (header) => expect(preferredLanguage(header)).toBeNull(),
  );

  test("is read only from the beginning of a header that is too long", () => {
    expect(preferredLanguage(`${"fr,".repeat(10_000)}de`)).toBeNull();
  });
});

describe("the language of a page", () => {
  test.each([
    [{ parameter: "de", cookie: "en", accepted: "en" }, "de"],
    [{ parameter: "fr", cookie: "de", accepted: "en" }, "de"],
    [{ parameter: null, cookie: "DE", accepted: "de" }, "de"],
    [{ parameter: null, cookie: "x", accepted: "fr" }, "en"],
    [{ parameter: "de-DE", cookie: null, accepted: null }, "en"],
    [{ parameter: undefined, cookie: undefined, accepted: "de" }, "de"],
  ])("with the sources %j is %s", (sources, language) => expect(languageOf(sources)).toBe(language));

  test("is the one that the proxy chose, and English without it", () => {
    expect(requestedLanguage(new Headers({ "x-tessera-language": "de" }))).toBe("de");
    expect(requestedLanguage(new Headers({ "x-tessera-language": "<b>" }))).toBe("en");
    expect(requestedLanguage(new Headers())).toBe("en");
  });
});

test.each([
  ["/pay/lnk_1", true],
  ["/embed/pay/lnk_1", true],
  ["/receipt/stl_1", true],
  ["/invoice/inv_1", true],
  ["/invoice/inv_1/", true],
  ["/pay", false],
  ["/embed/button-1.js", false],
  ["/dashboard/invoices/inv_1", false],
  ["/", false],
])("the path %s is a page for buyers: %s", (path, isTheirs) => expect(isForBuyers(path)).toBe(isTheirs));
