import { createConfig, lintFromString } from "@redocly/openapi-core";
import { DiscoveryDocument, validate } from "mppx/discovery";
import { expect, test } from "vitest";
import type { LinkId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { describeApi } from "@/lib/links/upstream/open-api";
import type { UpstreamPath } from "@/lib/links/upstream/rules";
import { openApi } from "@/lib/openapi/document";
import * as sample from "@/lib/samples";

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

test("MPP's client and the linter read the document of a sold API", async () => {
  const documentOf = (paths: UpstreamPath[]) =>
    describeApi("https://wallet.test", {
      linkId: sample.LINK as LinkId,
      network: "base",
      title: "Quotes",
      description: "Prices of coins",
      amount: toUsdc(10_000n),
      updatedAt: new Date(0),
      upstream: { methods: ["GET", "POST", "DELETE"], paths },
    });
  const some = documentOf([
    { path: "/quotes/{symbol}", amount: "20000" },
    { path: "/report", amount: null },
  ]);
  const { paths: operations = {} } = DiscoveryDocument.parse(some);
  const amountOf = (path: string) => operations[path]?.post?.["x-payment-info"]?.offers[0]?.amount;
  expect(["/quotes/{symbol}", "/report"].map(amountOf)).toEqual(["20000", "10000"]);
  const config = await createConfig({ extends: ["recommended"], rules: { "info-license": "off" } });
  for (const document of [some, documentOf([])]) {
    expect(validate(document)).toEqual([]);
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
    expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([]);
  }
});
