import { SCAN_KINDS, type ScanKind, type ScanPrices } from "@/lib/core/scans";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import type { Config } from "@/lib/platform/config";
import { toCredits, worthOf } from "@/lib/x402/credits";
import type { Generated } from "./generated";
import { readDocs } from "./read";

/** The settings that the costs page shows. */
export type CostConfig = Pick<
  Config,
  "baseUrl" | "firewallPrices" | "minPayment" | "minContractPayment" | "vaultOpeningMin"
>;

const SCANNED: Record<ScanKind, string> = {
  scan: "a transaction",
  "x402-scan": "a payment requirement",
  "prompt-scan": "a text",
};

const usdc = (atomic: bigint): string => `${formatUsdc(toUsdc(atomic))} USDC`;

/** "0.50 USDC", or "from 0.50 USDC" when the scans differ; null when none is offered. */
export function scanPriceText(prices: ScanPrices): string | null {
  const [lowest, ...others] = [...new Set(Object.values(prices))]
    .flatMap((price) => price ?? [])
    .sort((a, b) => Number(a - b));
  if (lowest === undefined) return null;
  return others.length === 0 ? usdc(lowest) : `from ${usdc(lowest)}`;
}

function pricesTable(prices: ScanPrices): string {
  const rows = SCAN_KINDS.map((kind) => {
    const price = prices[kind];
    return `| ${SCANNED[kind]} | ${price === null ? "not offered here" : usdc(price)} |`;
  });
  return `| scan of | price |\n|---|---|\n${rows.join("\n")}`;
}

/** The gas of a transaction, from the table of docs/contracts.md. Throws if the table has no such row. */
function gasOf(transaction: string, contracts: string): string {
  const row = contracts.split("\n").find((line) => line.startsWith(`| ${transaction} |`));
  // Its last column: new vaults are of the newest version.
  const gas = row?.split("|").at(-2)?.trim();
  if (gas === undefined) throw new Error(`docs/contracts.md states no gas of “${transaction}”`);
  return gas;
}

const GAS = {
  opening: "open and fund, with one signature",
  payment: "payment by a vault",
  ordinary: "payment by an ordinary account, for comparison",
  withdrawal: "withdraw",
  revocation: "revoke, by the owner",
} as const;

/** What each thing costs, and who pays it. The figures are this service's settings and the measured gas of the contracts. */
export function costsPage(config: CostConfig): Generated {
  const contracts = readDocs("contracts.md", config.baseUrl);
  const gas = (transaction: keyof typeof GAS) => gasOf(GAS[transaction], contracts);
  return {
    slug: "costs",
    label: "What it costs",
    summary: "Fees, prices and gas: what each thing costs, and who pays it",
    group: "Start",
    isListed: true,
    markdown: `# What it costs

There is no fee on payments: the seller receives the whole price, and the payer signs without gas. Only a firewall scan over HTTP has a
price.

| free of charge | gas |
|---|---|
| agents, mandates, payment links, invoices, webhooks, credentials | none: nothing is sent to a chain |
| a payment at an address of this service | paid by us |
| a payment at another seller | paid by the seller's facilitator |
| a payment settled through our [facilitator](/docs/facilitator) | paid by us |
| payouts, refunds, deposits by signature | paid by us |
| opening, funding and closing a vault | paid by us |

## Firewall

The scans are free in [your own program](/docs/firewall), in the [playground](/firewall), and for each payment of an agent
whose owner chose it. Over HTTP each verdict has a price; a request that is refused costs nothing.

${pricesTable(config.firewallPrices)}

Service credits pay for scans without a transfer for each: ${usdc(worthOf(toCredits(100n)))} buys one credit, which cannot be turned
back into USDC.

## Vaults

A vault costs more gas than a [spending wallet](/docs/vault-or-wallet), and we pay that too: ${gas("opening")} gas to open and fund one
with one signature, and ${gas("payment")} for a payment in place of ${gas("ordinary")} by an ordinary account. If you
[leave without the service](/docs/contracts#leave-without-the-service), you pay the gas in ETH: ${gas("withdrawal")} to withdraw,
${gas("revocation")} to revoke. [How these figures are measured](/docs/contracts#gas).

## Smallest amounts

| what | at least |
|---|---|
| a payment by an ordinary account | ${usdc(config.minPayment)} |
| a payment by a contract, such as a vault | ${usdc(config.minContractPayment)} |
| the limit of a mandate with a vault | ${usdc(config.vaultOpeningMin)} |

A payer whose transfers keep failing, or need unusual gas, is [limited for an hour](/docs/errors/payer_over_gas_budget), not charged.

## Paid elsewhere

Buying USDC, moving it by a plain transfer from your own wallet, and a node of your own if you run the service.
`,
  };
}
