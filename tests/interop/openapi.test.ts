import { createConfig, lintFromString } from "@redocly/openapi-core";
import { DiscoveryDocument, validate } from "mppx/discovery";
import { expect, test } from "vitest";
import { openApi } from "@/lib/openapi/document";

const document = openApi("https://wallet.test");

test("the OpenAPI linter reports no problem in the API's document", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // The paths of /api/mandates and /api/payment-links are those of the interface, which clients use. Of two that match a request, the
      // fixed one is taken (OpenAPI 3.1, path templating), and no id is the word of a fixed one: ids begin with mand_, lnk_ and the like.
      "no-ambiguous-paths": "off",
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
});

test("MPP's client reads what payable operations cost", () => {
  expect(validate(document)).toEqual([]);
  const { paths = {} } = DiscoveryDocument.parse(document);
  for (const path of ["/pay/{linkId}", "/paymentlink/{linkId}", "/unifypaymentlink/agentid/{agentId}"])
    expect(paths[path]?.get?.["x-payment-info"]?.offers).toMatchObject([{ intent: "charge", method: "evm" }]);
});
