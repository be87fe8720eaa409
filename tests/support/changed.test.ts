import { expect, test } from "vitest";
import { touchedBy } from "./changed";

test("the test selection picks the tests of a changed module and of the modules that may import it", () => {
  const { world, browser } = touchedBy(["lib/refunds/store.ts"]);
  expect(world).toEqual(["tests/refunds/", "tests/invoices/"]);
  expect(browser).toEqual(["tests/e2e/invoices.spec.ts", "tests/e2e/refund.spec.ts"]);
});

test("the test selection picks a changed page's browser tests by its folder, and those of all pages", () => {
  const { world, browser } = touchedBy(["components/webhooks/form.tsx"]);
  expect(world).toEqual(["tests/http/"]);
  expect(browser).toEqual(["tests/e2e/webhooks.spec.ts", "tests/e2e/every-page.spec.ts"]);
});

test.each(["lib/core/money.ts", "lib/wiring.ts", "proxy.ts", "package-lock.json", "tests/support/world.ts"])(
  "a change of %s selects all tests",
  (file) => expect(touchedBy([file])).toEqual({ world: "all", browser: "all" }),
);

test.each([
  ["packages/client/src/index.ts", ["tests/client/", "tests/interop/"]],
  ["tests/links/links.test.ts", ["tests/links/links.test.ts"]],
  ["CHANGELOG.md", []],
  ["lib/http/README.md", []],
])("a change of %s selects few tests", (file, world) => expect(touchedBy([file])).toEqual({ world, browser: [] }));
