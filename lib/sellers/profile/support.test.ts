import { expect, test } from "vitest";
import { supportHref } from "./support";

test.each([
  ["help@shop.example", "mailto:help@shop.example"],
  ["https://shop.example/help?a=1", "https://shop.example/help?a=1"],
])("the support contact %s becomes the link %s", (text, href) => expect(supportHref(text)).toBe(href));

test.each([
  ...["", "help", "a@b", "a b@c.example", "a@c.example?bcc=x@y.example", "javascript:alert(1)", "http://shop.example/"],
  ...["https://user@shop.example/", "https:\\\\shop.example", "mailto:a@b.example", "//shop.example", "https://"],
])("the support contact %j becomes no link", (text) => expect(supportHref(text)).toBeNull());
