import { expect, test } from "vitest";
import { newsOf, receiversOf } from "./frame-news";

test("a checkout in a frame reports a payment as settled only once it is, and as pending while it may still settle", () => {
  const newsAt = (at: string, settlementId?: string | null) => newsOf("lnk_1", { at, settlementId });
  for (const at of ["idle", "submitting", "failed"]) expect(newsAt(at)).toBeNull();
  for (const at of ["pending", "unknown", "declined", "used"]) expect(newsAt(at)).toMatchObject({ status: "pending" });
  expect(newsAt("settled", "stl_1")).toEqual({
    source: "tessera",
    type: "tessera.payment",
    status: "settled",
    linkId: "lnk_1",
    settlementId: "stl_1",
  });
  expect(newsAt("unknown")).toMatchObject({ settlementId: null });
});

test("a checkout in a frame sends its events to the embedding page, and never to an origin that may not frame it", () => {
  const allowed = ["https://a.example", "https://b.example"];
  expect(receiversOf(allowed, "https://b.example")).toEqual(["https://b.example"]);
  expect(receiversOf(allowed, "https://b.example/basket?id=1")).toEqual(["https://b.example"]);
  for (const said of [undefined, "", "https://evil.example", "null", "https://b.example.evil.example"]) {
    expect(receiversOf(allowed, said)).toEqual(allowed);
  }
  expect(receiversOf([], "https://evil.example")).toEqual([]);
});
