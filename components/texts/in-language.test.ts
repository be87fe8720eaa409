import { expect, test } from "vitest";
import { inLanguage } from "./in-language";

test.each([
  ["/receipt/stl_1?key=k", "de", "/receipt/stl_1?key=k&lang=de"],
  ["https://wallet.test/pay/lnk_1", "en", "https://wallet.test/pay/lnk_1?lang=en"],
  ["/pay/lnk_1?lang=en&amount=1", "de", "/pay/lnk_1?lang=de&amount=1"],
  ["/pay/lnk_1", "fr", "/pay/lnk_1"],
  ["/pay/lnk_1", null, "/pay/lnk_1"],
  ["/pay/lnk_1", ["de", "en"], "/pay/lnk_1"],
])("the text %s in the language %j is %s", (href, named, expected) => expect(inLanguage(href, named)).toBe(expected));
