import { describe, expect, test } from "vitest";
import { splitUrls } from "./linked-text";

const linksIn = (text: string) => splitUrls(text).flatMap((part) => (part.href === undefined ? [] : [part]));

describe("the URLs that are found in a text", () => {
  test.each<[string, string, string]>([
    ["https://a.example/x?y=1&z=2#q", "https://a.example/x?y=1&z=2#q", "a.example"],
    ["Get it at https://a.example/file.pdf.", "https://a.example/file.pdf", "a.example"],
    ["(see https://a.example/x)", "https://a.example/x", "a.example"],
    ["https://a.example/x_(1)", "https://a.example/x_(1)", "a.example"],
    ["(https://a.example/x_(1)), then", "https://a.example/x_(1)", "a.example"],
    ['{"url":"https://a.example/x"}', "https://a.example/x", "a.example"],
    ["<https://a.example:8443/>", "https://a.example:8443/", "a.example:8443"],
    ["http://localhost:3000/x", "http://localhost:3000/x", "localhost:3000"],
    ["HTTPS://A.EXAMPLE/x", "https://a.example/x", "a.example"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example"],
  ])("in %s are %s", (text, href, host) => {
    expect(linksIn(text)).toMatchObject([{ href, host }]);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "www.a.example",
    "https://",
    "https://bank.example@evil.example/",
    "https://user:word@evil.example/",
    `https://a.example/${"x".repeat(2_100)}`,
  ])("do not include %s", (text) => {
    expect(splitUrls(text)).toEqual([{ text }]);
  });

  test("end before invisible characters and quotation marks", () => {
    expect(linksIn("https://a.example/\u202egpj.exe")[0]?.text).toBe("https://a.example/");
    expect(linksIn(`https://a.example/"onclick="x`)[0]?.text).toBe("https://a.example/");
  });

  test("are at most a hundred, and no other text is lost", () => {
    const text = Array.from({ length: 150 }, (_, index) => `${index}: https://a.example/${index}.`).join("\n");
    expect(linksIn(text)).toHaveLength(100);
    expect(
      splitUrls(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });

  test("are searched quickly in a long text without any", () => {
    const text = "https://(".repeat(20_000);
    const began = performance.now();
    splitUrls(text);
    splitUrls(`https://a.example/${"(".repeat(50_000)}${")".repeat(50_000)}`);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
