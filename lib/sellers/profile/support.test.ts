import { expect, test } from "vitest";
import { supportHref } from "./support";

test.each([
  ["help@shop.example", "mailto:help@shop.example"],
  ["https://shop.example/help?a=1", "https://shop.example/help?a=1"],
])("%s leads to %s", (text, href) => expect(supportHref(text)).toBe(href));

test.each([
  ...["", "help", "a@b", "a b@c.example", "a@c.example?bcc=x@y.example", "javascript:alert(1)", "http://shop.example/"],
  ...["https://user@shop.example/", "https:\\\\shop.example", "mailto:a@b.example", "//shop.example", "https://"],
])("%j leads nowhere", (text) => expect(supportHref(text)).toBeNull());
