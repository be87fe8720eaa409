import { expect, test } from "vitest";
import { bytesText } from "./format-bytes";

test.each([
  [1, "1 byte"],
  [7, "7 bytes"],
  [1_000, "1 KB"],
  [34_817, "35 KB"],
  [1_100_000, "1.1 MB"],
  [10 * 1_048_576, "10 MB"],
])("a size of %i bytes is displayed as %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
