/** Who may import whom: docs/architecture.md. */
const below = require("./dev/nouns.cjs");
const nouns = Object.keys(below).join("|");

/** Sells a noun's work over x402: reads requests, and takes proofs and credits. Only routes import it. */
const sellers = "^lib/firewall/sell\\.ts$";

/** The folders of the scanners that each of them may import. */
const scannerFolders = {
  text: [],
  chain: [],
  secrets: ["chain", "text"],
  prompt: ["secrets", "text"],
  "payment-texts": ["prompt", "secrets", "text"],
  transaction: ["payment-texts", "chain"],
  x402: ["payment-texts", "chain"],
};

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "core-knows-nobody",
      severity: "error",
      from: { path: "^lib/core/" },
      to: { path: "^(app|components|lib/(?!core/))" },
    },
    {
      name: "x402-knows-core",
      severity: "error",
      from: { path: "^lib/x402/" },
      to: { path: "^(app|components|lib/(?!core/|x402/))" },
    },
    {
      name: "platform-knows-x402-and-core",
      severity: "error",
      from: { path: "^lib/platform/" },
      to: { path: "^(app|components|lib/(?!core/|x402/|platform/))" },
    },
    {
      name: "vaults-know-no-noun",
      severity: "error",
      from: { path: "^lib/vaults/", pathNot: "/tables\\.ts$" },
      to: { path: "^(app|components|dev|ops|lib/(?!core/|x402/|platform/|vaults/))" },
    },
    {
      // What a vault may pay, and what moves its money, is decided in these. Pages get what the mandate's contract shows.
      name: "vaults-are-for-mandates-and-payments",
      severity: "error",
      from: {
        path: "^(app|components|lib)/",
        pathNot: "^lib/(vaults|mandates|payments|settlements)/|^lib/checks\\.ts$",
      },
      to: { path: "^lib/vaults/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "http-knows-no-noun",
      severity: "error",
      from: { path: "^lib/http/" },
      to: { path: "^(app|components|lib/(?!core/|x402/|platform/|http/))" },
    },
    ...Object.entries(below).map(([noun, others]) => ({
      name: `${noun}-imports-only-those-below`,
      severity: "error",
      from: { path: `^lib/${noun}/`, pathNot: `/tables\\.ts$|${sellers}` },
      to: { path: `^lib/(?!(?:${[noun, ...others].join("|")})/)(${nouns})/` },
    })),
    {
      name: "nouns-meet-at-services",
      severity: "error",
      from: { path: `^lib/(${nouns})/`, pathNot: "/(tables|[a-z-]*store)\\.ts$|^lib/checkout/" },
      to: {
        path: `^lib/(${nouns})/.*(store|rules|tables)\\.ts$`,
        pathNot: "^lib/$1/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "sellers-are-for-routes",
      severity: "error",
      from: { path: "^(components|lib)/" },
      to: { path: sellers },
    },
    {
      name: "sellers-take-payments-only",
      severity: "error",
      from: { path: sellers },
      to: { path: `^(app|components)/|^lib/(?!firewall/|checkout/|payments/credits|settlements/errors)(${nouns})/` },
    },
    ...Object.entries(scannerFolders).map(([folder, others]) => ({
      name: `scanners-${folder}-knows-those-below`,
      severity: "error",
      from: { path: `^packages/firewall/src/${folder}/` },
      to: { path: `^packages/firewall/src/(?!${[folder, ...others].join("|")})[a-z0-9-]+/` },
    })),
    {
      name: "x402-is-plain",
      severity: "error",
      from: { path: "^packages/x402/src/" },
      to: { path: "^(?!packages/x402/src/)" },
    },
    {
      name: "scanners-are-pure",
      severity: "error",
      from: { path: "^packages/firewall/src/" },
      to: {
        path: "^(app|components|lib|dev|ops|tests)/|^packages/(?!(?:firewall|x402)/src/)|node_modules/(?!viem/)",
      },
    },
    {
      name: "scanners-run-in-a-browser",
      severity: "error",
      from: { path: "^packages/firewall/src/", pathNot: "^packages/firewall/src/cli/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "the-client-has-no-dependency",
      severity: "error",
      from: { path: "^packages/client/src/", pathNot: "\\.test-d\\.ts$" },
      to: { path: "^packages/(?!(?:client|x402)/src/)|node_modules/" },
    },
    {
      name: "the-client-runs-in-a-browser",
      severity: "error",
      from: { path: "^packages/client/src/", pathNot: "^packages/client/src/cli/" },
      to: { dependencyTypes: ["core"], path: "." },
    },
    {
      name: "packages-do-not-know-the-app",
      severity: "error",
      from: { path: "^packages/" },
      to: { path: "^(app|components|lib|dev|ops|tests)/" },
    },
    {
      name: "packages-are-imported-by-their-entries",
      severity: "error",
      from: { path: "^(app|components|lib|ops)" },
      to: { path: "^packages/(?!x402/src/)[^/]+/(?!src/(index|addresses|rules|verdict)\\.ts$|bench/figures\\.json$)" },
    },
    {
      // They have the texts and examples of the reference, and zod, which probes for eval: the policy of pages forbids it.
      name: "browsers-load-no-contract",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^lib/.*contract\\.ts$|^lib/samples\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "stores-join-only-tables",
      severity: "error",
      from: { path: `^lib/(${nouns})/.*store\\.ts$` },
      to: {
        path: `^lib/(${nouns})/.*(store|rules|service)\\.ts$`,
        pathNot: "^lib/$1/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "nouns-do-not-import-the-edge",
      severity: "error",
      from: { path: `^lib/(${nouns})/`, pathNot: `^lib/checkout/|${sellers}` },
      to: {
        path: "^(app|components|dev|ops|lib/(http|checkout|wiring|mcp)(/|\\.))",
        pathNot: "^lib/http/(errors|limit)\\.ts$",
      },
    },
    {
      name: "sql-stays-in-stores",
      severity: "error",
      from: {
        path: "^(app|components|lib)/",
        pathNot: "(store|tables|columns|db|lease|queue|events)\\.ts$|^lib/wiring\\.ts",
      },
      to: { path: "node_modules/(drizzle-orm|postgres)/" },
    },
    {
      name: "components-are-for-the-browser",
      severity: "error",
      from: { path: "^components/" },
      to: {
        path: "^(app|dev|ops|lib/(platform|checkout|wiring|http/(?!client))|lib/[^/]+/.*(service|store|tables|jobs)\\.ts|lib/mandates/lists\\.ts|lib/payouts/consent\\.ts)",
      },
    },
    {
      name: "app-calls-services",
      severity: "error",
      from: { path: "^app/" },
      to: { path: `^(dev|ops)/|^lib/(platform/|(${nouns})/.*(store|tables|rules)\\.ts$)` },
    },
    {
      // It is not compiled, and loads the service as the compiled package @tessera/lib.
      name: "the-entry-is-plain",
      severity: "error",
      from: { path: "^ops/server/" },
      to: { path: "^(app|components|lib|dev|ops/(?!server/))" },
    },
    {
      name: "production-imports-no-dev",
      severity: "error",
      from: { path: "^(app|components|ops|lib)" },
      to: { path: "^dev/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.test\\.ts$|^packages/[^/]+/dist/|^dev/tools/node_modules/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
