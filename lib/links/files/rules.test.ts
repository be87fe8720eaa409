import { describe, expect, test } from "vitest";
import { attachment, isFileName } from "./rules";

describe("the name of a file", () => {
  test.each(["report.pdf", "Bericht für März.pdf", "報告.zip", "a", "archive.tar.gz", "50% off.txt", "it's (1).txt"])(
    "may be %s",
    (name) => {
      expect(isFileName(name)).toBe(true);
    },
  );
  test.each([
    ...[
      "",
      " ",
      "..",
      ".htaccess",
      "../etc/passwd",
      "a/b",
      "a\\b",
      "C:x",
      'a"b',
      "a\nb",
      "a\r\nSet-Cookie: x",
      "a\u0000",
    ],
    ...["report\u202efdp.exe", "x".repeat(151), "x.", "x ", "\ud800", "a*b", "a?b", "a|b", "<a>", "\u200b"],
  ])("may not be %j", (name) => {
    expect(isFileName(name)).toBe(false);
  });

  test("is written into a header that all browsers read in the same way", () => {
    expect(attachment("report.pdf")).toBe(`attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`);
    expect(attachment("für 50%.pdf")).toBe(`attachment; filename="f_r 50_.pdf"; filename*=UTF-8''f%C3%BCr%2050%25.pdf`);
    expect(attachment("it's (1)!.txt")).toBe(
      `attachment; filename="it's (1)!.txt"; filename*=UTF-8''it%27s%20%281%29%21.txt`,
    );
    expect(attachment("報😀.zip")).toMatch(/^[\x20-\x7e]+$/);
  });
});
