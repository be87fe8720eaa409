import { ExternalLink } from "lucide-react";
import { passName } from "@/components/checkout/calls";
import { AgentWay } from "@/components/checkout/other-ways";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Section } from "@/components/dashboard/section";
import { LinkEmbed } from "@/components/links/link-embed";
import { LinkImage } from "@/components/links/link-image";
import { SalesChart, type SalesChartProps } from "@/components/sales/sales-chart";
import { offer } from "@/components/texts/en/offer";
import { wordsOf } from "@/components/texts/words";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { formatCount, formatPercent, usdcText } from "@/components/ui/format";
import { bytesText } from "@/components/ui/format-bytes";
import { JsonView } from "@/components/ui/json-view";
import { Qr } from "@/components/ui/qr";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import { addSeconds } from "@/lib/core/time";
import { formatUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import { buttonScript } from "@/lib/embed/script";
import type { LinkItem } from "@/lib/links/contract";
import { frameOrigins } from "@/lib/links/frames";
import { altOf } from "@/lib/links/images/image";
import { TRIES_MAX } from "@/lib/links/upstream/limits";
import { toolAt } from "@/lib/links/upstream/tools/names";
import { funnel } from "@/lib/links/visits/service";
import { revenueOfLink } from "@/lib/refunds/service";
import { NETWORKS } from "@/lib/x402/networks";
import { paymentRequiredV1, unpaidError } from "@/lib/x402/requirement";
import type { Shown } from "./lists";
import { PERIODS, type Period } from "./query";

type OverviewProps = Shown & {
  item: LinkItem;
  redirectUrl: string | null;
  /** True when shown beside the list, in one column. */
  isPane: boolean;
};

export function Overview({ item, redirectUrl, isPane, ...sectionProps }: OverviewProps) {
  if (isPane) {
    return (
      <>
        <Sharing item={item} />
        <Revenue {...sectionProps} />
        <Settings item={item} redirectUrl={redirectUrl} agentName={sectionProps.agentName} />
      </>
    );
  }
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-5 max-lg:order-2">
        <Revenue {...sectionProps} />
        {!item.upstream && <Visits {...sectionProps} />}
        {!item.upstream && <Embed {...sectionProps} item={item} />}
        <Settings item={item} redirectUrl={redirectUrl} agentName={sectionProps.agentName} />
      </div>
      <Sharing item={item} />
    </div>
  );
}

async function Revenue({ ctx, linkId, at: { period }, here: buildHref }: Shown) {
  return <LinkRevenue {...(await revenueOfLink(ctx, linkId))} listHref={buildHref({ section: "payments", period })} />;
}

async function Embed({ ctx, linkId, item }: Pick<OverviewProps, "ctx" | "linkId" | "item">) {
  const { path, integrity } = buttonScript();
  const script = { url: `${ctx.config.baseUrl}${path}`, integrity };
  const label = item.customAmount ? "Pay with USDC" : `Pay ${usdcText(item.amount)}`;
  return <LinkEmbed url={item.url} label={label} script={script} origins={await frameOrigins(ctx, linkId)} />;
}

async function Visits({ ctx, linkId, at: { period = "30" }, here: buildHref }: Shown) {
  const counts = await funnel(ctx, linkId, sinceOf(period, ctx.now()));
  return (
    <Card title="From visit to payment" aria-label="Visits" className="grid gap-5 [&>header]:mb-0">
      <FilterLinks
        label="Period"
        options={PERIODS.map((value) => ({
          label: PERIOD_LABELS[value],
          href: buildHref({ period: value }),
          isCurrent: value === period,
        }))}
      />
      {counts.viewed === 0 && counts.byAgents === 0 ? (
        <p className="text-control text-ink-2">
          No visits {period === "all" ? "yet" : `in the last ${PERIOD_LABELS[period]}`}. Share the link to see here how
          far visitors get.
        </p>
      ) : (
        <LinkFunnel {...counts} />
      )}
      <p className="text-small text-ink-2">
        Payments are read from the chain. Earlier steps are reported by browsers and are only a hint: anyone can fake a
        visit, and some browsers report nothing. We store no network addresses and track no visitors.
      </p>
    </Card>
  );
}

const PERIOD_LABELS = { "7": "7 days", "30": "30 days", "90": "90 days", all: "All" } satisfies Record<Period, string>;

const sinceOf = (period: Period, now: Date): Date =>
  period === "all" ? new Date(0) : addSeconds(now, -86_400 * Number(period));

function Settings({ item, redirectUrl, agentName }: Pick<OverviewProps, "item" | "redirectUrl" | "agentName">) {
  const { description, reference, resourceContent, maxUses, useCount, expiresAt } = item;
  return (
    <Card title="Settings" aria-label="Settings" className="grid gap-5 [&>header]:mb-0">
      {item.image && (
        <LinkImage
          image={{ url: item.image.url, alt: altOf({ title: item.title ?? null, description }) }}
          words="Image of what is sold"
          isLazy
        />
      )}
      {description !== "" && <Quote by="Buyers read">{description}</Quote>}
      <Facts>
        <Fact label={item.maxQuantity === undefined ? "Price" : "Price of one"}>
          <Amount atomic={item.amount} />
        </Fact>
        {item.customAmount && (
          <Fact label="The buyer chooses">
            <span className="num">
              {usdcText(item.customAmount.min)} to {usdcText(item.customAmount.max)}
            </span>
          </Fact>
        )}
        {item.maxQuantity !== undefined && (
          <Fact label="Highest quantity">
            <span className="num">{formatCount(item.maxQuantity)}</span>
          </Fact>
        )}
        {item.fields && (
          <Fact label="Questions">
            <span className="grid justify-items-end">
              {item.fields.map(({ name, label, isRequired }) => (
                <span key={name}>
                  <bdi>{label}</bdi>
                  {!isRequired && " (optional)"}
                </span>
              ))}
            </span>
          </Fact>
        )}
        <Fact label="Network">{NETWORKS[item.network].label}</Fact>
        {reference !== null && (
          <Fact label="Your reference">
            <bdi>{reference}</bdi>
          </Fact>
        )}
        {Object.entries(item.metadata ?? {}).map(([key, value]) => (
          <Fact key={key} label={<span className="mono">{key}</span>}>
            <bdi className="[overflow-wrap:anywhere]">{value}</bdi>
          </Fact>
        ))}
        <Fact label="Agent">
          <bdi>{agentName}</bdi>
        </Fact>
        {item.payTo !== null && (
          <Fact label="Paid to">
            <AddressTag address={item.payTo} tileSize={18} />
          </Fact>
        )}
        <Fact label="Paid">
          <span className="num">
            {maxUses === null ? times(useCount) : `${formatCount(useCount)} of at most ${times(maxUses)}`}
          </span>
        </Fact>
        <Fact label={item.unavailableReason === "LINK_EXPIRED" ? "Expired" : "Can be paid until"}>
          {expiresAt === null ? "you disable it" : <Time at={expiresAt} form="short" />}
        </Fact>
        {!item.upstream && (
          <Fact label="After payment">
            <AfterPayment target={item.redirectUrl} redirectUrl={redirectUrl} />
          </Fact>
        )}
        {item.cancelUrl !== undefined && (
          <Fact label="If the buyer cancels">
            redirected to <bdi>{item.cancelUrl}</bdi>
          </Fact>
        )}
        {item.disabledMessage !== undefined && (
          <Fact label="While disabled">
            <bdi className="whitespace-pre-wrap">{item.disabledMessage}</bdi>
          </Fact>
        )}
        {item.taxNote !== undefined && (
          <Fact label="On receipts">
            <bdi className="whitespace-pre-wrap">{item.taxNote}</bdi>
          </Fact>
        )}
        <Fact label="Created">
          <Time at={item.createdAt} form="short" show="absolute" />
        </Fact>
        <Fact label="Updated">
          <Time at={item.updatedAt} form="short" show="absolute" />
        </Fact>
        <Fact label="Id">
          <AddressTag address={item.linkId} noun="link id" tile={false} />
        </Fact>
      </Facts>
      {item.file && (
        <p className="text-control">
          Buyers can download <bdi className="font-medium [overflow-wrap:anywhere]">{item.file.name}</bdi> (
          {bytesText(item.file.bytes)}).
        </p>
      )}
      {item.upstream ? (
        <UpstreamSettings {...item.upstream} />
      ) : resourceContent === null && item.file ? null : resourceContent === null ? (
        <p className="text-control text-ink-2">Buyers get a receipt. This link sells no content.</p>
      ) : (
        <Disclosure summary="What buyers get">
          <JsonView value={resourceContent} label="content" />
        </Disclosure>
      )}
    </Card>
  );
}

function UpstreamSettings({
  url,
  methods,
  paths,
  secondsMax,
  answerBytesMax,
  headerNames,
  pass,
  kind,
}: NonNullable<LinkItem["upstream"]>) {
  const name = kind === "mcp" ? "Your MCP server" : "Your API";
  return (
    <section aria-label={name} className="grid gap-2.75 border-t pt-4">
      <h3 className="text-control font-medium">{name}</h3>
      <Facts>
        <Fact label="Address" isLong>
          <bdi>{url}</bdi>
        </Fact>
        <Fact label="Headers it gets">{headerNames.length === 0 ? "none" : headerNames.join(", ")}</Fact>
        {kind === "http" && <Fact label="Methods">{methods.join(", ")}</Fact>}
        <Fact label="At most">
          <span className="num">
            {formatCount(secondsMax)} s, {bytesText(answerBytesMax)}
          </span>
        </Fact>
        <Fact label="If it fails">buyers get up to {TRIES_MAX} tries within an hour, paid once</Fact>
        {paths.length === 0 &&
          (kind === "mcp" ? (
            <Fact label="Tools">every tool, for the price above</Fact>
          ) : (
            <Fact label="Paths">every path, for the price above</Fact>
          ))}
        {paths.map(({ path, amount }) => (
          <Fact key={path} label={<span className="mono">{kind === "mcp" ? toolAt(path) : path}</span>} isLabelLong>
            {amount === null ? "the price above" : <Amount value={formatUsdc(toUsdc(BigInt(amount)))} />}
          </Fact>
        ))}
        {pass && (
          <Fact label={`Pass for ${passName({ kind, pass }, wordsOf("en", "offer"))}`} isLabelLong>
            <Amount value={formatUsdc(toUsdc(BigInt(pass.amount)))} />
          </Fact>
        )}
      </Facts>
    </section>
  );
}

const times = (count: number) => (count === 1 ? "once" : `${formatCount(count)} times`);

/** The operator may have withdrawn permission for a redirect that was allowed when it was set. */
function AfterPayment({ target, redirectUrl }: { target: string | null; redirectUrl: string | null }) {
  if (target === null) return "the receipt";
  if (redirectUrl === null) return "the receipt: the operator no longer allows your redirect";
  return (
    <>
      redirected to <bdi>{redirectUrl}</bdi>
    </>
  );
}

function Sharing({ item }: { item: LinkItem }) {
  const { network, amount, payTo, description, upstream } = item;
  const sum = usdcText(amount);
  if (upstream) return <ApiAddress upstream={upstream} />;
  const { url } = item;
  const required =
    payTo && paymentRequiredV1([{ network, amount, payTo, resource: url, description }], unpaidError({ amount }));
  return (
    <div className="grid min-w-0 gap-5 max-lg:order-1">
      <Card aria-label="Share this link" className="grid justify-items-center gap-4">
        <Qr value={url} label={item.isPayable ? "Scan it to pay" : "It cannot be paid now"} size={160} />
        <div className="flex flex-wrap justify-center gap-2">
          <Copy value={url} label="Copy link" />
          <a href={url} target="_blank" rel="noopener" className={buttonClass({ size: "small" })}>
            <ExternalLink aria-hidden />
            Open
          </a>
        </div>
      </Card>
      {required && item.isPayable && (
        <Disclosure summary="How programs pay">
          <AgentWay url={url} sum={sum} required={required} texts={offer} />
        </Disclosure>
      )}
    </div>
  );
}

function ApiAddress({ upstream: { kind, paidUrl, mcpUrl, url } }: { upstream: NonNullable<LinkItem["upstream"]> }) {
  const address = mcpUrl ?? paidUrl;
  return (
    <Card
      title="Where programs pay"
      aria-label="Where programs pay"
      className="grid gap-4 max-lg:order-1 [&>header]:mb-0"
    >
      <p className="mono rounded-control bg-sunk px-3.5 py-3 text-small [overflow-wrap:anywhere]">{address}</p>
      <Copy value={address} label="Copy address" className="justify-self-start" />
      <p className="text-small text-ink-2 [overflow-wrap:anywhere]">
        {kind === "mcp"
          ? "MCP clients connect here, and a paid call goes to "
          : "A paid request goes to the same path of "}
        <bdi>{url}</bdi>.{" "}
        <a
          href={kind === "mcp" ? "/docs/sell#sell-an-mcp-server" : "/docs/sell#sell-an-api"}
          className="underline underline-offset-4"
        >
          How it works
        </a>
      </p>
    </Card>
  );
}

type LinkFunnelProps = {
  /** Visits that reached each step; never increases from one step to the next. */
  viewed: number;
  connected: number;
  signed: number;
  settled: number;
  /** Payments without a recorded visit. */
  byAgents: number;
};

/** Visits from opening the link to payment. The list is complete; the bars only illustrate it. */
function LinkFunnel({ byAgents, ...counts }: LinkFunnelProps) {
  return (
    <div className="grid gap-5">
      <ol aria-label="Visits by step" className="grid gap-4">
        {STEPS.map(({ key, label }) => (
          <li key={key} className="grid gap-1.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-control">
              <span>{label}</span>
              <span className="num">
                <b>{formatCount(counts[key])}</b>
                {key !== "viewed" && <span className="text-ink-2"> · {share(counts[key], counts.viewed)}</span>}
              </span>
            </p>
            <div aria-hidden className="h-2.5 overflow-hidden rounded-full bg-sunk">
              <div className="h-full rounded-full bg-brand" style={{ width: width(counts[key], counts.viewed) }} />
            </div>
          </li>
        ))}
      </ol>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t pt-4 text-control">
        <span>Paid without a visit, for example, by agents</span>
        <b className="num">{formatCount(byAgents)}</b>
      </p>
    </div>
  );
}

const STEPS = [
  { key: "viewed", label: "Opened the link" },
  { key: "connected", label: "Connected a wallet" },
  { key: "signed", label: "Signed the payment" },
  { key: "settled", label: "Paid" },
] as const;

const share = (part: number, total: number): string =>
  total === 0 ? "0%" : formatPercent(BigInt(part), BigInt(total));

// Anything above zero stays visible.
const width = (part: number, total: number) => (part === 0 ? "0" : `max(4px, ${(part * 100) / total}%)`);

type LinkRevenueProps = {
  /** Settled payments and their sum, before refunds. */
  payments: number;
  volume: Usdc;
  refunded: Usdc;
  refunds: number;
  net: Usdc;
  /** The URL of the list of payments. */
  listHref: string;
} & Pick<SalesChartProps, "span" | "steps">;

/** The revenue of a link since its creation, and per day for the last 30 days. */
function LinkRevenue({ payments, volume, refunded, refunds, net, listHref, span, steps }: LinkRevenueProps) {
  return (
    <Section id="revenue" title="Revenue" more={payments > 0 ? { href: listHref, label: "All payments" } : undefined}>
      {payments === 0 ? (
        <p className="rounded-card border bg-card p-5 text-control text-ink-2">
          No payment has settled yet. The link’s revenue appears here.
        </p>
      ) : (
        <>
          <Card>
            <p className="text-small text-ink-2">Net</p>
            <p>
              <Amount atomic={net} size="big" />
            </p>
            <Facts className="mt-3 max-w-80">
              <Fact label="Payments settled">
                <span className="num">{formatCount(payments)}</span>
              </Fact>
              <Fact label="Settled">
                <Amount atomic={volume} />
              </Fact>
              <Fact label={refunds > 1 ? `Refunded, in ${formatCount(refunds)} refunds` : "Refunded"}>
                <Amount atomic={refunded} />
              </Fact>
            </Facts>
          </Card>
          <SalesChart period="30d" span={span} steps={steps} />
        </>
      )}
    </Section>
  );
}
