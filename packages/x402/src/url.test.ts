import { expect, it } from "vitest";
import { parseUrl } from "./url";

it("parses a host of Latin letters after as many calls as a server makes", () => {
  for (let call = 0; call < 100_000; call++) parseUrl(`https://shop.example/${call}`);
  expect(parseUrl("https://bücher.example/")?.host).toBe("xn--bcher-kva.example");
  expect(parseUrl("/bücher", "https://münchen.example/a")?.href).toBe("https://xn--mnchen-3ya.example/b%C3%BCcher");
});

it.each(["", "a", "https://", "https://a b/"])("%j is no URL", (text) => expect(parseUrl(text)).toBeNull());
