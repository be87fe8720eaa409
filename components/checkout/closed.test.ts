import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { offer } from "@/components/texts/en/offer";
import { Closed, type ClosedProps } from "./closed";

const drawn = (reason: ClosedProps["reason"], hasPendingPayment: boolean) =>
  renderToStaticMarkup(
    createElement(Closed, {
      view: { payee: null, disabledMessage: null, hasPendingPayment, calls: null },
      profile: null,
      reason,
      texts: offer,
    }),
  );

test("a sold-out link speaks of another place only while a payment is pending", () => {
  expect(drawn("LINK_SOLD_OUT", true)).toContain(offer.soldOutText);
  expect(drawn("LINK_SOLD_OUT", false)).not.toContain(offer.soldOutText);
  expect(drawn("LINK_SOLD_OUT", false)).toContain(offer.soldOutTitle);
});

test("the other reasons do not depend on pending payments", () => {
  expect(drawn("LINK_EXPIRED", false)).toContain(offer.expiredText);
  expect(drawn("LINK_DISABLED", false)).toContain(offer.disabledText);
});
